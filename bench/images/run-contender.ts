/** A process that makes images as one contender. Over its channel: a setup, then tasks; each is answered with its times. */
import { CONTENDERS, type Case, type Contender, type ContenderName, type Setup } from './contenders.ts';

export type Task = { readonly asked: Case; readonly count: number; readonly lanes: number };
export type TaskResult = {
  /** Of each image. */
  readonly ms: readonly number[];
  /** For all of them. */
  readonly totalMs: number;
  /** The last image, base64. */
  readonly image: string;
};

let contender: Contender | undefined;
let serial = 0;

async function perform({ asked, count, lanes }: Task): Promise<TaskResult> {
  if (!contender) throw new Error('expected a setup first');
  const make = contender;
  const ms: number[] = [];
  let image: Buffer = Buffer.alloc(0);
  let left = count;
  const startedMs = performance.now();
  const lane = async () => {
    while (left > 0) {
      left -= 1;
      const beganMs = performance.now();
      image = await make(asked, (serial += 1));
      ms.push(performance.now() - beganMs);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return { ms, totalMs: performance.now() - startedMs, image: image.toString('base64') };
}

process.on('message', (message: { readonly name: ContenderName; readonly setup: Setup } | Task) => {
  void (async () => {
    if ('asked' in message) {
      process.send?.(await perform(message));
    } else {
      contender = await CONTENDERS[message.name](message.setup);
      process.send?.('ready');
    }
  })();
});
