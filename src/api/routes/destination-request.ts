/** What a request says of a destination, checked by what its kind asks for. */
import type { Static } from 'typebox';
import type { LibraryScope } from '../../auth/index.ts';
import { AppError, invalidField } from '../../base/index.ts';
import {
  checkWindow,
  type Destination,
  type DestinationChannel,
  type DestinationFields,
  type ImageRendition,
  parsePathTemplate,
} from '../../delivery/index.ts';
import type { ApiDeps } from '../deps.ts';
import { createPartValidator } from '../plugins/validation.ts';
import type { DestinationBody, DestinationPatch, RenditionBody } from '../wire/destinations.ts';

export const DEFAULT_TEMPLATE = '{captured_at:yyyy/MM/dd}/{media.name}-{media.id}-{quality}.{media.ext}';

type Fields = Readonly<Record<string, unknown>>;

export function channelOf(deps: ApiDeps, kind: string): DestinationChannel {
  const channel = deps.deliveries.channels.get(kind);
  if (channel) return channel;
  const kinds = [...deps.deliveries.channels.keys()].join(', ');
  throw invalidField('/kind', `expected one of ${kinds}, received ${JSON.stringify(kind)}`);
}

/** What the kind asks for. @throws AppError `validation_failed`, `capability_missing` */
function checkTarget(
  channel: DestinationChannel,
  {
    config,
    secrets,
    template,
  }: { readonly config: Fields; readonly secrets: Fields | undefined; readonly template: string },
): void {
  createPartValidator<Fields>(channel.configSchema)(config, '/config');
  if (secrets !== undefined) createPartValidator<Fields>(channel.secretsSchema)(secrets, '/secrets');
  channel.check?.(config);
  parsePathTemplate(template, { rules: channel.names, pointer: '/path_template' });
  const missing = channel.missing?.();
  if (missing !== undefined)
    throw new AppError('capability_missing', `${channel.kind} is not available here: ${missing}`);
}

const isEmpty = (secrets: Fields | undefined | null): boolean => !secrets || Object.keys(secrets).length === 0;

/** The parameters, whichever way they were named. */
function renditionOf(body: Static<typeof RenditionBody>): ImageRendition {
  const { params, preset } = body;
  if ((params === undefined) === (preset === undefined)) {
    const received = params === undefined ? 'neither' : 'both';
    throw invalidField('/rendition', `expected either params or preset, received ${received}`);
  }
  return { kind: 'image', params: params ?? new URLSearchParams({ p: preset ?? '' }).toString() };
}

/** @throws AppError `validation_failed` for parameters and presets that are not there */
export async function checkRendition(
  deps: ApiDeps,
  scope: LibraryScope,
  body: Static<typeof RenditionBody>,
): Promise<ImageRendition> {
  const rendition = renditionOf(body);
  await deps.deliveries.pictures.check(scope, rendition.params);
  return rendition;
}

/** @throws AppError `validation_failed`, `capability_missing` */
export async function readNewDestination(deps: ApiDeps, scope: LibraryScope, body: DestinationBody) {
  const channel = channelOf(deps, body.kind);
  const fields: DestinationFields = {
    name: body.name,
    config: body.config,
    pathTemplate: body.path_template ?? DEFAULT_TEMPLATE,
    collision: body.collision ?? 'skip_same',
    qualities: body.qualities ?? ['photographer'],
    sidecar: body.sidecar ?? 'none',
    embedMetadata: body.embed_metadata ?? false,
    concurrency: body.concurrency ?? 4,
    bandwidthLimit: body.bandwidth_limit ?? null,
    window: body.window ?? null,
    paused: body.paused ?? false,
    rendition: body.rendition ? await checkRendition(deps, scope, body.rendition) : null,
  };
  if (fields.window) checkWindow(fields.window);
  checkTarget(channel, { config: body.config, secrets: body.secrets ?? {}, template: fields.pathTemplate });
  const { secretBox } = deps.deliveries;
  const sealed = isEmpty(body.secrets) ? null : secretBox.seal(scope.organizationId, body.secrets ?? {});
  return { fields, sealed };
}

/** RFC 7396: what is left out stays, null removes. `sealed` is left out where the secrets stay. */
export function readChange(
  deps: ApiDeps,
  scope: LibraryScope,
  { before, patch }: { readonly before: Destination; readonly patch: DestinationPatch },
) {
  // Configs have one level.
  const config = Object.fromEntries(
    Object.entries({ ...before.config, ...patch.config }).filter(([, value]) => value !== null),
  );
  const fields: DestinationFields = {
    name: patch.name ?? before.name,
    config,
    pathTemplate: patch.path_template ?? before.pathTemplate,
    collision: patch.collision ?? before.collision,
    qualities: patch.qualities ?? before.qualities,
    sidecar: patch.sidecar ?? before.sidecar,
    embedMetadata: patch.embed_metadata ?? before.embedMetadata,
    concurrency: patch.concurrency ?? before.concurrency,
    bandwidthLimit: patch.bandwidth_limit === undefined ? before.bandwidthLimit : patch.bandwidth_limit,
    window: patch.window === undefined ? before.window : patch.window,
    paused: patch.paused ?? before.paused,
    rendition: patch.rendition === undefined ? before.rendition : patch.rendition && renditionOf(patch.rendition),
  };
  if (fields.window) checkWindow(fields.window);
  const secrets = patch.secrets === null ? {} : patch.secrets;
  checkTarget(channelOf(deps, before.kind), { config, secrets, template: fields.pathTemplate });
  const sealed = isEmpty(secrets) ? null : deps.deliveries.secretBox.seal(scope.organizationId, secrets ?? {});
  const isOtherTarget = patch.config !== undefined || secrets !== undefined;
  return { fields, isOtherTarget, ...(secrets !== undefined && { sealed }) };
}
