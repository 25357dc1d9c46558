import type { Clip, Organization } from '../../library/index.ts';
import type { MediaUrls } from '../media-urls.ts';
import type { ClipOut } from '../wire/clips.ts';

type ClipContext = { readonly organization: Organization; readonly urls: MediaUrls };

/** Where the files of clips lie: `/clip-file/{organization}/{clip}/{nonce}/{name}`. */
function fileUrl(
  { organization, urls }: ClipContext,
  clip: Clip & { readonly expiresAt: Date },
  extension: 'mp4' | 'jpg',
): string {
  const path = `/clip-file/${organization.id}/${clip.id}/${clip.urlNonce}/${slugOf(clip.name)}.${extension}`;
  return urls.signed(organization, { path, expires: clip.expiresAt });
}

/** A name that needs no escapes in a URL. */
function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  return plain.replaceAll(/[^0-9A-Za-z]+/g, '-').replaceAll(/^-|-$/g, '') || 'clip';
}

/** A clip as it is answered, with the signed URLs of its files. */
export function presentClip(clip: Clip, context: ClipContext): ClipOut {
  const { request, facts, expiresAt } = clip;
  const url = (key: string | null, extension: 'mp4' | 'jpg') =>
    key === null || expiresAt === null ? null : fileUrl(context, { ...clip, expiresAt }, extension);
  return {
    id: clip.id,
    kind: clip.kind,
    state: clip.state,
    progress: Math.round(clip.progress * 1000) / 1000,
    name: clip.name,
    segments: request.segments.map((segment, index) => ({
      media_id: segment.mediaId,
      action_id: segment.actionId,
      in_ms: segment.inMs,
      out_ms: segment.outMs,
      event_ms: segment.eventMs,
      cut_in_ms: facts?.segments[index]?.inMs ?? null,
      cut_out_ms: facts?.segments[index]?.outMs ?? null,
      at_ms: facts?.segments[index]?.atMs ?? null,
    })),
    aspect: request.aspect,
    height: request.height,
    output: request.output,
    url: url(clip.videoKey, 'mp4'),
    poster_url: url(clip.posterKey, 'jpg'),
    media_id: clip.assetId,
    file: facts && {
      width: facts.width,
      height: facts.height,
      duration_ms: facts.durationMs,
      frames: facts.frames,
      bytes: facts.bytes,
      sha256: facts.sha256,
      method: facts.method,
    },
    failure:
      clip.failureCode === null ? null : { code: clip.failureCode, reason: clip.failureReason ?? clip.failureCode },
    created_by: clip.createdBy,
    created_at: clip.createdAt.toISOString(),
    updated_at: clip.updatedAt.toISOString(),
    expires_at: expiresAt?.toISOString() ?? null,
    version: clip.version,
  };
}
