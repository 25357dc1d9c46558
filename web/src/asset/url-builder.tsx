import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Copy } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { Media } from '../api/media.ts';
import { problemOfAnswer } from '../api/problem.ts';
import { ProblemNote } from '../app/problem-view.tsx';
import { useResting } from '../library/use-resting.ts';
import { Button } from '../ui/button.tsx';
import { formatBytes } from '../ui/format.ts';
import { Select } from '../ui/select.tsx';
import { Slider } from '../ui/slider.tsx';
import { TextField } from '../ui/text-field.tsx';
import { showToast } from '../ui/toast.tsx';
import { withParameters } from './image-url.ts';

const FORMATS = [
  { value: '', label: 'As the browser takes it' },
  { value: 'jpeg', label: 'JPEG' },
  { value: 'webp', label: 'WebP' },
  { value: 'avif', label: 'AVIF' },
  { value: 'png', label: 'PNG' },
] as const;
const REST_MS = 250;

/** Chooses size, focus, zoom and format, and shows the picture, its bytes and the URL to copy. */
export function UrlBuilder({ media, url }: { readonly media: Media; readonly url: string }) {
  const [w, setW] = useState('600');
  const [h, setH] = useState('818');
  const [f, setF] = useState('');
  const [z, setZ] = useState(0);
  const [fmt, setFmt] = useState<(typeof FORMATS)[number]['value']>('');
  const focuses = useMemo(() => focusesOf(media), [media]);
  const built = withParameters(url, { w, h, f, z: z === 0 ? '' : String(z), fmt });
  const resting = useResting(built, REST_MS);
  const { data: facts, error } = usePictureFacts(resting);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(new URL(built, location.href).href);
      showToast({ tone: 'ok', text: 'The URL is copied.' });
    } catch {
      showToast({ tone: 'error', text: 'The browser did not let the URL be copied. Select it and copy it by hand.' });
    }
  };
  return (
    <section className="photo-builder" aria-label="URL builder">
      <h3>By URL</h3>
      <div className="photo-pair">
        <TextField label="Width" inputMode="numeric" value={w} onChange={(text) => setW(text.replaceAll(/\D/g, ''))} />
        <TextField label="Height" inputMode="numeric" value={h} onChange={(text) => setH(text.replaceAll(/\D/g, ''))} />
      </div>
      <div className="photo-pair">
        <Select label="Focus" options={focuses} value={f} onChange={setF} />
        <Select label="Format" options={FORMATS} value={fmt} onChange={setFmt} />
      </div>
      <Slider label="Zoom" min={0} max={1} step={0.05} value={z} onChange={setZ} />
      {error === null && (
        <figure className="photo-built">
          <img src={resting} alt={`${media.name}, as the URL says`} />
          <figcaption className="quiet" role="status">
            {facts && factsText(facts)}
          </figcaption>
        </figure>
      )}
      <ProblemNote error={error} />
      <TextField label="URL" value={new URL(built, location.href).href} isReadOnly isMultiline />
      <Button onPress={() => void copy()}>
        <Copy aria-hidden /> Copy the URL
      </Button>
    </section>
  );
}

function focusesOf(media: Media) {
  const players = media.faces.flatMap(({ tag_option_id: id }) => {
    const tag = media.tag_options.find((one) => one.id === id);
    return tag ? [{ value: `player:${tag.id}`, label: tag.label }] : [];
  });
  return [
    { value: '', label: 'Automatic' },
    ...(media.faces.length > 0
      ? [
          { value: 'face', label: 'Main face' },
          { value: 'faces', label: 'All faces' },
        ]
      : []),
    ...new Map(players.map((player) => [player.value, player])).values(),
    { value: 'focal', label: 'Focal point' },
    { value: 'attention', label: 'What stands out' },
    { value: 'center', label: 'Centre' },
    { value: 'n', label: 'Top' },
    { value: 's', label: 'Bottom' },
  ];
}

type Facts = { readonly bytes: number; readonly type: string; readonly size: string; readonly focus: string | null };

function factsText({ bytes, type, size, focus }: Facts): string {
  return [size, formatBytes(bytes), type, focus === null ? '' : `focus: ${focus}`]
    .filter((one) => one !== '')
    .join(', ');
}

/** As the browser asks for an `<img>`, so that the answer is the same one, and comes from the cache. */
const ACCEPT = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8';

/** What the answer to an image URL says of itself: an `<img>` alone does not tell its bytes, nor why there is none. */
function usePictureFacts(url: string) {
  return useQuery({
    queryKey: ['image', url],
    queryFn: async ({ signal }) => {
      const response = await fetch(url, { signal, headers: { Accept: ACCEPT } });
      if (!response.ok) throw problemOfAnswer(response, await response.json().catch(() => undefined));
      const { size: bytes, type } = await response.blob();
      return {
        bytes,
        type,
        size: (response.headers.get('x-image-size') ?? '').replace('x', ' × '),
        focus: response.headers.get('x-focus'),
      };
    },
    placeholderData: keepPreviousData,
    retry: false,
  });
}
