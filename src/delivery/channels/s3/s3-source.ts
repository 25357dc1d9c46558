import type { PutOptions } from '../../channel.ts';
import { filePieces, type PutMemory } from '../file-pieces.ts';
import { type CheckedSource, checkedSource, piecesOf } from '../transfer.ts';

export type S3Source = Pick<CheckedSource, 'failure'> & {
  /** In pieces of exactly so many bytes, the last one shorter; as many bytes as were said. @throws ChannelError `source_changed` */
  pieces(pieceBytes: number): AsyncGenerator<Buffer<ArrayBuffer>>;
};

/** The bytes of a put, whose hash is left to the caller. A whole file is read straight into memory that is used again. */
export function s3Source(put: PutOptions, memory: PutMemory): S3Source {
  const { file } = put;
  if (file !== undefined) return fileSource(put, { file, memory });
  const source = checkedSource(put, { isHashed: false });
  return {
    pieces: (pieceBytes) => piecesOf(source.chunks, { pieceBytes, bytes: put.bytes }),
    failure: source.failure,
  };
}

function fileSource(
  { bytes, signal }: PutOptions,
  { file, memory }: { readonly file: string; readonly memory: PutMemory },
): S3Source {
  let failed: { readonly error: unknown } | undefined;
  async function* pieces(pieceBytes: number): AsyncGenerator<Buffer<ArrayBuffer>> {
    try {
      yield* filePieces({ path: file, bytes, pieceBytes, memory, signal });
    } catch (error) {
      failed = { error };
      throw error;
    }
  }
  return { pieces, failure: () => failed };
}
