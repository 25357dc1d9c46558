/** Three requests that show what the library does, on what is in it. */
export type Tour = { readonly player: { readonly id: number; readonly query: string }; readonly imageUrl: string };

type TagAnswer = {
  readonly tag_options: readonly { readonly id: number; readonly label: string; readonly full_name: string | null }[];
};
type Face = { readonly w: number; readonly h: number; readonly score: number };
type Media = {
  readonly images: { readonly url: string } | null;
  readonly faces: readonly Face[];
  readonly tag_options: readonly { readonly id: number }[];
};

async function call<T>(url: string, init: RequestInit & { readonly apiKey: string }): Promise<T> {
  const { apiKey, ...rest } = init;
  const response = await fetch(url, { ...rest, headers: { 'X-Api-Key': apiKey, 'Content-Type': 'application/json' } });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return (await response.json()) as T;
}

const prominence = (media: Media) => Math.max(0, ...media.faces.map((face) => face.w * face.h * face.score));

/** The photograph of a player with the largest face, and that player. Undefined in a library without one. */
export async function findTour(options: {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly signal: AbortSignal;
}): Promise<Tour | undefined> {
  const { baseUrl, apiKey, signal } = options;
  const players = await call<TagAnswer>(`${baseUrl}/v1/tag/search?type=player&limit=200`, { apiKey, signal });
  const ids = players.tag_options.map((one) => one.id);
  if (ids.length === 0) return undefined;
  const body = { player: { any: ids }, people_count: { gte: 1 }, media_type: 'photo', status: 'ready', limit: 200 };
  const found = await call<{ readonly media: readonly Media[] }>(`${baseUrl}/v1/media/search`, {
    method: 'POST',
    body: JSON.stringify(body),
    apiKey,
    signal,
  });
  const best = found.media.toSorted((a, b) => prominence(b) - prominence(a))[0];
  const player = players.tag_options.find((one) => best?.tag_options.some((tag) => tag.id === one.id));
  if (!best?.images || !player) return undefined;
  const query = (player.full_name ?? player.label).split(' ').at(-1) ?? player.label;
  return { player: { id: player.id, query }, imageUrl: best.images.url };
}

/** The requests as curl commands to copy. */
export function formatTour(tour: Tour, options: { readonly baseUrl: string; readonly apiKey: string }): string {
  const { baseUrl, apiKey } = options;
  return `
Try it:

  # 1. find a player's tag option (accents and typos do not matter)
  curl -s -H 'X-Api-Key: ${apiKey}' '${baseUrl}/v1/tag/search?query=${encodeURIComponent(tour.player.query)}&type=player'

  # 2. search by it
  curl -s -H 'X-Api-Key: ${apiKey}' -H 'Content-Type: application/json' '${baseUrl}/v1/media/search' -d '{"tag_options":[${tour.player.id}],"limit":3}'

  # 3. an image of a result, cropped on the face, made to measure (no key: it can go into a page)
  curl -s -o face.jpg '${tour.imageUrl}?w=600&h=818&f=face&fmt=jpeg'
`;
}
