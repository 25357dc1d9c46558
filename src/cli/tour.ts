/** Three requests that show what the library does, on what is in it. */
export type Tour = {
  readonly player: { readonly id: number; readonly query: string; readonly label: string };
  readonly imageUrl: string;
  readonly faceTagId: number;
};

type TagAnswer = {
  readonly tag_options: readonly {
    readonly id: number;
    readonly type: string;
    readonly label: string;
    readonly full_name: string | null;
    readonly media_count: number;
  }[];
};
type SearchAnswer = {
  readonly media: readonly { readonly images: { readonly url: string } | null; readonly faces: readonly unknown[] }[];
};

async function call<T>(url: string, init: RequestInit & { readonly apiKey: string }): Promise<T> {
  const { apiKey, ...rest } = init;
  const response = await fetch(url, { ...rest, headers: { 'X-Api-Key': apiKey, 'Content-Type': 'application/json' } });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return (await response.json()) as T;
}

/** Looks for a player with photographs and a photograph with a face. Undefined in a library without either. */
export async function findTour(options: {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly signal: AbortSignal;
}): Promise<Tour | undefined> {
  const { baseUrl, apiKey, signal } = options;
  const search = (body: object) =>
    call<SearchAnswer>(`${baseUrl}/v1/media/search`, { method: 'POST', body: JSON.stringify(body), apiKey, signal });
  const players = await call<TagAnswer>(`${baseUrl}/v1/tag/search?type=player&limit=20`, { apiKey, signal });
  for (const player of players.tag_options.filter((one) => one.media_count > 0)) {
    const found = await search({ tag_options: [player.id], people_count: { gte: 1 }, media_type: 'photo', limit: 1 });
    const imageUrl = found.media[0]?.images?.url;
    if (imageUrl !== undefined) {
      const query = (player.full_name ?? player.label).split(' ').at(-1) ?? player.label;
      return { player: { id: player.id, query, label: player.label }, imageUrl, faceTagId: player.id };
    }
  }
  return undefined;
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
