import type { Asset, AssetFile } from '../../library/index.ts';
import type { Publisher } from '../image-access.ts';
import type { MediaUrls } from '../media-urls.ts';
import type { MediaOut } from '../wire/media.ts';

type Tier = MediaOut['qualities']['photographer'];

/** An asset as the API answers it, with the fields existing clients read beside our own. */
export function presentMedia(
  asset: Asset,
  context: { readonly organization: Publisher; readonly urls: MediaUrls },
): MediaOut {
  const urls = context.urls.of(context.organization, asset);
  const createdAt = asset.createdAt.toISOString();
  const updatedAt = asset.updatedAt.toISOString();
  const capturedAt = asset.capturedAt?.toISOString() ?? null;
  const fileOf = (quality: AssetFile['quality']) => asset.files.find((file) => file.quality === quality);
  const tier = (quality: AssetFile['quality']): Tier => {
    const file = fileOf(quality);
    if (!file) return null;
    const original = quality === 'photographer';
    return {
      url: urls.file(file),
      width: original ? asset.width : file.width,
      height: original ? asset.height : file.height,
      bytes: file.bytes,
      mime_type: original ? asset.mimeType : file.mimeType,
    };
  };
  const qualities = {
    photographer: tier('photographer'),
    compressed: tier('compressed'),
    thumbnail: tier('thumbnail'),
  };
  const shown = asset.status !== 'failed' && qualities.thumbnail !== null;
  return {
    id: asset.id,
    media_type: asset.mediaType,
    status: asset.status,
    failure: asset.failure,
    name: asset.name,
    external_id: asset.externalId,
    created_at: createdAt,
    updated_at: updatedAt,
    captured_at: capturedAt,
    captured_offset_minutes: asset.capturedOffsetMinutes,
    width: asset.width,
    height: asset.height,
    orientation: asset.orientation,
    duration_ms: asset.durationMs,
    frame_rate: asset.frameRate,
    video: asset.video,
    timeline: asset.timeline && {
      angle: asset.timeline.angle,
      started_at_wallclock: asset.timeline.startedAt?.toISOString() ?? null,
      start_tc: asset.timeline.startTimecode,
      periods: asset.timeline.periods.map(({ period, startMs }) => ({ period, start_ms: startMs })),
    },
    bytes: asset.bytes,
    mime_type: asset.mimeType,
    sha256: asset.sha256,
    rating: asset.rating,
    usage: asset.usage,
    usage_at: asset.usageAt?.toISOString() ?? null,
    collections: [...asset.collectionIds],
    tag_options: [...asset.tags],
    suggested_tag_options: [...asset.suggestedTags],
    details: asset.details,
    faces: asset.faces.map(({ tagOptionId, suggestion, ...face }) => ({
      ...face,
      ...(tagOptionId === null ? {} : { tag_option_id: tagOptionId }),
      ...(suggestion && {
        suggestion: { tag_option_id: suggestion.tagOptionId, distance: suggestion.distance },
      }),
    })),
    focal: asset.focal,
    people_count: asset.peopleCount,
    actions_count: asset.actionsCount,
    warnings: [...asset.warnings],
    version: asset.version,
    qualities,
    images: shown ? urls.images() : null,
    ID: asset.id,
    CreatedAt: createdAt,
    UpdatedAt: updatedAt,
    date: capturedAt ?? createdAt,
    thumbnail_url: qualities.thumbnail?.url ?? null,
    original_url: qualities.photographer?.url ?? null,
    files: (['photographer', 'compressed', 'thumbnail'] as const).flatMap((quality) => {
      const file = qualities[quality];
      return file ? [{ details: `${quality}_quality`, url: file.url }] : [];
    }),
  };
}

/** The ETag of an object that counts its versions. */
export function etagOfVersion(version: number): string {
  return `"v${version}"`;
}
