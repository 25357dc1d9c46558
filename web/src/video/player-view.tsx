import { ChevronFirst, ChevronLast, Pause, Play, SkipBack, SkipForward, StepBack, StepForward } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { Schemas } from '../api/client.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { type FrameClock, formatClock } from './frame-clock.ts';
import type { Player } from './player.ts';
import { usePlayerState } from './use-player.ts';

type Media = Schemas['Media'];

/** The picture of a video and what moves it. */
export function PlayerView({
  media,
  player,
  clock,
  onMarkIn,
  onMarkOut,
}: {
  readonly media: Media;
  readonly player: Player;
  readonly clock: FrameClock;
  readonly onMarkIn: () => void;
  readonly onMarkOut: () => void;
}) {
  const element = useRef<HTMLVideoElement>(null);
  const { speed, isReady, failure } = usePlayerState(player);
  useEffect(() => (element.current ? player.attach(element.current) : undefined), [player]);
  const url = media.qualities.compressed?.url;
  const note = failure ?? (url === undefined ? 'The video is still being prepared.' : undefined);
  return (
    <section className="video-stage" aria-label="Video">
      <div className="video-picture">
        {/* Captions: the library has none; what is said is not known to it. */}
        <video
          ref={element}
          {...(url === undefined ? {} : { src: url })}
          {...(media.thumbnail_url === null ? {} : { poster: media.thumbnail_url })}
          preload="auto"
          playsInline
          aria-label={media.name}
          onClick={player.toggle}
        />
        {note !== undefined && (
          <p className="video-note" role="status">
            {note}
          </p>
        )}
      </div>
      <div className="video-controls" role="toolbar" aria-label="Playback">
        <IconButton icon={SkipBack} label="To the beginning" keys="home" onPress={() => player.seekFrame(0)} />
        <IconButton
          icon={StepBack}
          label="One frame back"
          keys=","
          isDisabled={!isReady}
          onPress={() => player.step(-1)}
        />
        <IconButton
          icon={speed === 0 ? Play : Pause}
          label={speed === 0 ? 'Play' : 'Pause'}
          keys="space"
          isDisabled={!isReady}
          onPress={player.toggle}
        />
        <IconButton
          icon={StepForward}
          label="One frame on"
          keys="."
          isDisabled={!isReady}
          onPress={() => player.step(1)}
        />
        <IconButton
          icon={SkipForward}
          label="To the end"
          keys="end"
          onPress={() => player.seekFrame(clock.frames - 1)}
        />
        <Clock player={player} clock={clock} durationMs={media.duration_ms ?? 0} />
        <span className="video-speed">{speed === 0 || speed === 1 ? '' : `${speed}×`}</span>
        <span className="video-spread" />
        <IconButton icon={ChevronFirst} label="Mark in" keys="i" onPress={onMarkIn} />
        <IconButton icon={ChevronLast} label="Mark out" keys="o" onPress={onMarkOut} />
      </div>
    </section>
  );
}

/** Of its own, since it is drawn for every frame. */
function Clock({
  player,
  clock,
  durationMs,
}: {
  readonly player: Player;
  readonly clock: FrameClock;
  readonly durationMs: number;
}) {
  const { frame } = usePlayerState(player);
  return (
    <span className="video-clock" role="timer" aria-label="Position" aria-live="off">
      {clock.timecodeOf(frame)} <span className="quiet">/ {formatClock(durationMs)}</span>
    </span>
  );
}
