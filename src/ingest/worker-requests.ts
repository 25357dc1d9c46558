import { AppError, messageOf } from '../base/index.ts';
import type { WorkerReply } from './worker-process.ts';

/**
 * The child's side of a WorkerProcess: answers every request by `handle`, and ends with the service, however that ends.
 * `handle` is given what the parent sent, which is this program's own.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names what its parent sends
export function serveRequests<Payload>(handle: (payload: Payload) => Promise<unknown>): void {
  const answer = async (id: number, payload: Payload): Promise<WorkerReply> => {
    try {
      return { id, result: await handle(payload) };
    } catch (error) {
      const code = error instanceof AppError ? error.code : 'internal';
      return { id, error: { code, message: messageOf(error) } };
    }
  };
  process.on('message', (request: { readonly id: number; readonly payload: Payload }) => {
    void answer(request.id, request.payload).then((reply) => process.send?.(reply));
  });
  process.on('disconnect', () => process.exit());
}
