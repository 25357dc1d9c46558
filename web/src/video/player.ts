import type { FrameClock } from './frame-clock.ts';
import { PAUSED, press, rewound, type Shuttle, toggle } from './shuttle.ts';

export type PlayerState = {
  /** On screen, 0-based. */
  readonly frame: number;
  /** Backwards below 0. */
  readonly speed: number;
  /** Whether the video can be played: something of it has arrived. */
  readonly isReady: boolean;
  readonly failure: string | undefined;
};

/** The video that plays, by frames. Everything that moves it goes through here, so that the state is true. */
export type Player = {
  /** For React: the element comes and goes with its component. */
  attach(video: HTMLVideoElement): () => void;
  getState(): PlayerState;
  subscribe(listener: () => void): () => void;
  /** Stops, and shows this frame. */
  seekFrame(frame: number): void;
  seekMs(ms: number): void;
  step(frames: number): void;
  press(key: 'J' | 'L'): void;
  stop(): void;
  toggle(): void;
  /** Plays from one position to another, and stops there. */
  playRange(fromMs: number, toMs: number): void;
};

export function createPlayer(clock: FrameClock): Player {
  let video: HTMLVideoElement | undefined;
  let state: PlayerState = { frame: 0, speed: 0, isReady: false, failure: undefined };
  /** Where play stops by itself. */
  let untilFrame: number | undefined;
  const listeners = new Set<() => void>();

  const change = (next: Partial<PlayerState>): void => {
    const merged = { ...state, ...next };
    const isSame = Object.entries(next).every(([name, value]) => Reflect.get(state, name) === value);
    state = merged;
    if (!isSame) for (const listener of listeners) listener();
  };

  const show = (frame: number): void => {
    change({ frame });
    if (untilFrame === undefined || frame < untilFrame - 1) return;
    const last = untilFrame - 1;
    setShuttle(PAUSED);
    if (frame > last) seek(last);
  };

  const seek = (frame: number): void => {
    if (!video) return;
    const seconds = clock.seekTo(frame);
    video.currentTime = seconds;
    change({ frame: clock.frameAt(seconds) });
  };

  const setShuttle = (shuttle: Shuttle): void => {
    if (shuttle.speed <= 0 || shuttle.speed !== state.speed) untilFrame = undefined;
    change({ speed: shuttle.speed });
    if (!video) return;
    if (shuttle.speed > 0) {
      video.playbackRate = shuttle.speed;
      // Above twice the speed nobody follows the sound.
      video.muted = shuttle.speed > 2;
      video.play().catch((error: unknown) => {
        // A pause or a seek that came meanwhile ends the promise, too.
        if (error instanceof DOMException && error.name === 'AbortError') return;
        change({ speed: 0, failure: error instanceof Error ? error.message : String(error) });
      });
    } else {
      video.pause();
      if (shuttle.speed < 0) playBackwards(shuttle.speed);
    }
  };

  /** Browsers play forwards only: backwards is one seek after the other, as fast as they are done. */
  const playBackwards = (speed: number): void => {
    const begin = { atMs: performance.now(), seconds: clock.seekTo(state.frame) };
    const next = (): void => {
      if (!video || state.speed !== speed) return;
      if (!video.seeking) {
        const seconds = rewound(begin.seconds, { speed, elapsedMs: performance.now() - begin.atMs });
        seek(clock.frameAt(seconds));
        if (seconds === 0) return change({ speed: 0 });
      }
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  };

  const attach = (element: HTMLVideoElement): (() => void) => {
    video = element;
    const abort = new AbortController();
    const { signal } = abort;
    const on = (name: keyof HTMLMediaElementEventMap, listener: () => void) =>
      element.addEventListener(name, listener, { signal });
    let handle = 0;
    const watch = (): void => {
      handle = element.requestVideoFrameCallback((_now, { mediaTime }) => {
        // While a seek is under way the last frame of before may come once more.
        if (!element.seeking && state.speed >= 0) show(clock.frameAt(mediaTime));
        watch();
      });
    };
    watch();
    on('loadeddata', () => change({ isReady: true, failure: undefined }));
    on('seeked', () => {
      if (state.speed >= 0) show(clock.frameAt(element.currentTime));
    });
    on('ended', () => change({ speed: 0, frame: clock.frames - 1 }));
    on('pause', () => {
      if (state.speed > 0) change({ speed: 0 });
    });
    on('error', () => change({ isReady: false, speed: 0, failure: messageOf(element.error) }));
    if (element.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA) change({ isReady: true });
    return () => {
      abort.abort();
      element.cancelVideoFrameCallback(handle);
      video = undefined;
      change({ speed: 0, isReady: false });
    };
  };

  return {
    attach,
    getState: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    seekFrame: (frame) => {
      setShuttle(PAUSED);
      seek(frame);
    },
    seekMs: (ms) => {
      setShuttle(PAUSED);
      seek(clock.frameAtMs(ms));
    },
    step: (frames) => {
      setShuttle(PAUSED);
      seek(state.frame + frames);
    },
    press: (key) => setShuttle(press({ speed: state.speed }, key)),
    stop: () => setShuttle(PAUSED),
    toggle: () => setShuttle(toggle({ speed: state.speed })),
    playRange: (fromMs, toMs) => {
      setShuttle(PAUSED);
      seek(clock.frameAtMs(fromMs));
      setShuttle({ speed: 1 });
      untilFrame = Math.max(clock.frameAtMs(toMs), clock.frameAtMs(fromMs) + 1);
    },
  };
}

function messageOf(error: MediaError | null): string {
  if (error?.code === MediaError.MEDIA_ERR_NETWORK)
    return 'The video stopped arriving. Check the connection and reload.';
  return 'This browser cannot play the video.';
}
