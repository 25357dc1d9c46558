import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../src/base/error-codes.ts';
import { type Answer, startApp, type TestApp } from '../support/app.ts';
import { plainPhoto } from '../support/library.ts';
import { expectProblem } from '../support/problem.ts';
import { type Attempt, own, refused } from '../support/tenant-attempts.ts';
import { ruleRecipes } from '../support/tenant-rules.ts';
import { dumpRows, fillLibrary, findMixedRows, putWatermark, type TestLibrary } from '../support/tenants.ts';

let service: TestApp;
/** The organization that must not be seen or changed, and its rows before the stranger arrived. */
let owner: TestLibrary;
let ownerRows: readonly string[];
let stranger: TestLibrary;
let strangerId: number;
beforeAll(async () => {
  service = await startApp({ DELIVERY_FOLDERS: tmpdir() });
  const photos = [await plainPhoto(1), await plainPhoto(2)] as const;
  owner = await fillLibrary(service, { key: service.key, mark: 'Zephyrine', photos });
  ownerRows = await dumpRows(service.app.installation.db);
  strangerId = await service.createOrganization('second');
  const key = await service.createKey({ organizationId: strangerId });
  stranger = await fillLibrary(service, { key, mark: 'Quillon', photos });
});
afterAll(() => service.close());

const cursor = (path: string) => refused(`${path}?cursor=${owner.cursors[path]}`, 'cursor_invalid');
const open = (path: string) => [own(path)];

/** Filters that name each of the owner's objects in every field and form that takes an ID. */
function foreignFilters(): Attempt[] {
  const path = '/v1/media/search';
  const codes: ErrorCode[] = ['unknown_tag_option'];
  const byType = Object.entries(owner.tags).filter(([type]) => type !== 'tag');
  return [
    ...Object.values(owner.tags).map((id) => refused(path, codes, { tag_options: [id] })),
    ...byType.map(([type, id]) => refused(path, codes, { [type]: id })),
    ...['all', 'any', 'none', 'only'].map((form) => refused(path, codes, { player: { [form]: [owner.tags.player] } })),
    refused(path, codes, { none: [{ player: owner.tags.player }] }),
    refused(path, codes, { any: [{ all: [{ club: [stranger.tags.club, owner.tags.club] }] }, {}] }),
    refused(path, 'unknown_collection', { collection: owner.collection }),
    refused(path, 'unknown_collection', { collection: { none: [owner.collection] } }),
  ];
}

/** Filters over actions that name each of the owner's objects. */
function foreignActionFilters(): Attempt[] {
  const path = '/v1/action/search';
  const { tags, media, collection, mark } = owner;
  const byType = Object.entries(tags).filter(([type]) => type !== 'tag');
  return [
    own(path, {}),
    own(path, { text: `${mark}x player`, sort: 'relevance', facets: ['type', 'player', 'tag_options', 'status'] }),
    own(path, { media_id: media['id'] }),
    own(path, { type: 'goal', media: { name: mark } }),
    own('/v1/media/search', { action: { text: mark }, facets: ['action.type', 'action.player'], include: ['actions'] }),
    ...byType.map(([type, id]) => refused(path, 'unknown_tag_option', { [type]: id })),
    refused(path, 'unknown_tag_option', { tag_options: [tags.tag] }),
    refused(path, 'unknown_tag_option', { type: tags.tag }),
    refused(path, 'unknown_tag_option', { any: [{ player: { none: [tags.player] }, role: 'scorer' }] }),
    refused(path, 'unknown_tag_option', { media: { player: tags.player } }),
    refused(path, 'unknown_collection', { media: { collection } }),
    refused('/v1/media/search', 'unknown_tag_option', { action: { match: tags.match } }),
    refused(path, 'cursor_invalid', { cursor: owner.cursors['/v1/media/search'], limit: 1 }),
  ];
}

/** Actions of the stranger that name objects of the owner. */
function foreignActions(path: string): Attempt[] {
  const { tags, action } = owner;
  const codes: ErrorCode[] = ['unknown_tag_option'];
  const goal = { type: 'goal', event_ms: 1 };
  return [
    refused(path, codes, { type: action['type'], event_ms: 1 }),
    refused(path, codes, { ...goal, match: tags.match }),
    refused(path, codes, { ...goal, clubs: [{ id: tags.club }] }),
    refused(path, codes, { ...goal, players: [{ id: tags.player }] }),
    refused(path, codes, { ...goal, tag_options: [tags.sponsor] }),
    refused(path, 'validation_failed', { ...goal, parent_id: action['id'] }),
    // The same event of the same feed is an action of its own.
    own(path, { ...goal, source: 'feed:test', source_ref: 'first' }),
  ];
}

/** Where files are sent, and their way there. */
function deliveryRecipes(): Readonly<Record<string, readonly Attempt[]>> {
  const foreign = `/v1/destination/${owner.destination}`;
  const mine = `/v1/destination/${stranger.destination}`;
  const foreignDelivery = `/v1/delivery/${owner.delivery}`;
  const foreignBatch = `/v1/delivery/batch/${owner.deliveryBatch}`;
  const preset = { kind: 'image', preset: owner.mark.toLowerCase() };
  const mediaIds = [owner.media['id']];
  const config = { path: join(service.dataDir, 'outbox Quillon') };
  const created = { name: 'mine', kind: 'folder', config, path_template: '{media.id}' };
  return {
    'GET /v1/destination': [own('/v1/destination?limit=200'), cursor('/v1/destination')],
    'POST /v1/destination': [own('/v1/destination', created)],
    'GET /v1/destination/{id}': [refused(foreign, 'not_found')],
    'PATCH /v1/destination/{id}': [refused(foreign, 'not_found', { name: 'changed' })],
    'DELETE /v1/destination/{id}': [refused(foreign, 'not_found')],
    'POST /v1/destination/preview': [
      refused('/v1/destination/preview', 'not_found', { kind: 'folder', media_ids: mediaIds }),
    ],
    'POST /v1/destination/{id}/verify': [refused(`${foreign}/verify`, 'not_found')],
    'POST /v1/destination/{id}/preview': [
      refused(`${foreign}/preview`, 'not_found', { media_ids: [stranger.media['id']] }),
      refused(`${mine}/preview`, 'not_found', { media_ids: mediaIds }),
    ],
    'GET /v1/delivery': [
      own('/v1/delivery?limit=200'),
      own(`/v1/delivery?destination=${owner.destination}`),
      own(`/v1/delivery?media=${owner.otherMedia['id']}`),
      cursor('/v1/delivery'),
    ],
    'POST /v1/delivery': [
      refused('/v1/delivery', 'not_found', { destination_id: owner.destination, media_ids: [stranger.media['id']] }),
      refused('/v1/delivery', 'not_found', { destination_id: stranger.destination, media_ids: mediaIds }),
      refused('/v1/delivery', 'unknown_tag_option', {
        destination_id: stranger.destination,
        filter: { player: owner.tags.player },
      }),
      own('/v1/delivery', { destination_id: stranger.destination, filter: { name: owner.mark } }),
      refused('/v1/delivery', 'not_found', { destination_id: stranger.destination, clip_ids: [owner.clip] }),
      refused('/v1/delivery', 'validation_failed', {
        destination_id: stranger.destination,
        media_ids: [stranger.media['id']],
        rendition: preset,
      }),
    ],
    'GET /v1/delivery/{id}': [refused(foreignDelivery, 'not_found')],
    'DELETE /v1/delivery/{id}': [refused(foreignDelivery, 'not_found')],
    'POST /v1/delivery/{id}/replay': [refused(`${foreignDelivery}/replay`, 'not_found')],
    'GET /v1/delivery/batch': [
      own('/v1/delivery/batch?limit=100'),
      own(`/v1/delivery/batch?destination=${owner.destination}`),
      cursor('/v1/delivery/batch'),
    ],
    'GET /v1/delivery/batch/{batch}': [refused(foreignBatch, 'not_found')],
    'DELETE /v1/delivery/batch/{batch}': [refused(foreignBatch, 'not_found')],
    'POST /v1/delivery/batch/{batch}/replay': [refused(`${foreignBatch}/replay`, 'not_found')],
  };
}

/** Where events are posted to. */
function webhookRecipes(): Readonly<Record<string, readonly Attempt[]>> {
  const foreign = `/v1/webhook/${owner.webhook}`;
  const mine = `/v1/webhook/${stranger.webhook}`;
  const created = { name: 'mine', url: 'https://hooks.invalid/mine', types: ['clip.ready'] };
  const messages = (path: string) => refused(`${path}?cursor=${owner.cursors['messages']}`, 'cursor_invalid');
  return {
    'GET /v1/webhook': [own('/v1/webhook?limit=200'), cursor('/v1/webhook')],
    'POST /v1/webhook': [own('/v1/webhook', created)],
    'GET /v1/webhook/{id}': [refused(foreign, 'not_found')],
    'PATCH /v1/webhook/{id}': [refused(foreign, 'not_found', { status: 'active' })],
    'DELETE /v1/webhook/{id}': [refused(foreign, 'not_found')],
    'POST /v1/webhook/{id}/rotate': [refused(`${foreign}/rotate`, 'not_found')],
    'POST /v1/webhook/{id}/test': [refused(`${foreign}/test`, 'not_found')],
    'POST /v1/webhook/{id}/replay': [refused(`${foreign}/replay`, 'not_found', { after: 0 })],
    'GET /v1/webhook/{id}/message': [
      refused(`${foreign}/message`, 'not_found'),
      own(`${mine}/message`),
      messages(`${mine}/message`),
    ],
    'GET /v1/webhook/{id}/message/{message}': [
      refused(`${foreign}/message/${owner.webhookMessage}`, 'not_found'),
      refused(`${mine}/message/${owner.webhookMessage}`, 'not_found'),
    ],
    'POST /v1/webhook/{id}/message/{message}/replay': [
      refused(`${foreign}/message/${owner.webhookMessage}/replay`, 'not_found'),
      refused(`${mine}/message/${owner.webhookMessage}/replay`, 'not_found'),
    ],
  };
}

/** Files that arrive in parts. */
function uploadRecipes(): Readonly<Record<string, readonly Attempt[]>> {
  const foreign = `/v1/upload/${owner.upload}`;
  const url = 'https://photos.invalid/a.jpg';
  const headers = { 'Tus-Resumable': '1.0.0' };
  const bytes = { ...headers, 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': '3' };
  const override = (method: string): Attempt => ({
    ...refused(foreign, 'not_found'),
    headers: { ...headers, 'X-HTTP-Method-Override': method },
  });
  const withField = (key: string, value: number) => `${key} ${Buffer.from(String(value)).toString('base64')}`;
  const create = (metadata: string, outcome: Attempt['outcome']): Attempt => ({
    path: '/v1/upload',
    headers: { ...headers, 'Upload-Length': '9', 'Upload-Metadata': metadata },
    outcome,
  });
  return {
    'OPTIONS /v1/upload': open('/v1/upload'),
    'POST /v1/upload': [
      create('filename', 'own'),
      create(withField('tag_options', owner.tags.player), ['unknown_tag_option']),
      create(withField('collections', owner.collection), ['unknown_collection']),
    ],
    'GET /v1/upload/{id}': [refused(foreign, 'not_found')],
    // Its answer has no body: what it says is looked at with the POST that stands for it.
    'HEAD /v1/upload/{id}': [],
    'POST /v1/media/import': [
      refused('/v1/media/import', 'unknown_tag_option', { items: [{ url, tag_options: [owner.tags.player] }] }),
      refused('/v1/media/import', 'unknown_collection', { items: [{ url, collections: [owner.collection] }] }),
    ],
    'PATCH /v1/upload/{id}': [{ ...refused(foreign, 'not_found'), headers: bytes }],
    'POST /v1/upload/{id}': [override('HEAD'), override('DELETE')],
    'DELETE /v1/upload/{id}': [{ ...refused(foreign, 'not_found'), headers }],
  };
}

/** Relations of a new tag option to each of the owner's. */
function foreignRelations(path: string): Attempt[] {
  const codes: ErrorCode[] = ['unknown_tag_option', 'validation_failed'];
  const { club, stadium, competition, season, sponsor } = owner.tags;
  const body = (type: string, relations: object) => ({ type, label: 'new', relations });
  return [
    refused(path, codes, body('player', { clubs: [{ club }] })),
    refused(path, codes, body('sponsor', { clubs: [{ club }] })),
    refused(path, codes, body('sponsor', { competitions: [{ competition }] })),
    refused(path, codes, body('player', { sponsors: [{ sponsor }] })),
    refused(path, codes, body('club', { parent: club })),
    refused(path, codes, body('club', { stadiums: [{ stadium }] })),
    refused(path, codes, body('club', { competitions: [{ competition: stranger.tags.competition, season }] })),
    ...Object.entries({ home: club, away: club, stadium, competition, season }).map(([member, id]) =>
      refused(path, codes, body('match', { [member]: id })),
    ),
  ];
}

/** Who may have which images, and the names of presets and watermarks. */
function imageRecipes(): Readonly<Record<string, readonly Attempt[]>> {
  const preset = `/v1/image-preset/${owner.imagePreset}`;
  const watermark = `/v1/watermark/${owner.watermark}`;
  return {
    'GET /v1/image-settings': [own('/v1/image-settings')],
    'PATCH /v1/image-settings': [own('/v1/image-settings', { mode: 'open' })],
    'GET /v1/image-key': [own('/v1/image-key')],
    'POST /v1/image-key': [own('/v1/image-key', { name: 'mine' })],
    'DELETE /v1/image-key/{id}': [refused(`/v1/image-key/${owner.imageKey}`, 'not_found')],
    'GET /v1/image-preset': [own('/v1/image-preset')],
    // The same name is a preset of its own.
    'POST /v1/image-preset': [own('/v1/image-preset', { name: 'same', parameters: { w: 1 } })],
    'GET /v1/image-preset/{id}': [refused(preset, 'not_found')],
    'PATCH /v1/image-preset/{id}': [refused(preset, 'not_found', { name: 'changed' })],
    'DELETE /v1/image-preset/{id}': [refused(preset, 'not_found')],
    'GET /v1/watermark': [own('/v1/watermark')],
    'POST /v1/watermark': [{ path: '/v1/watermark', watermark: 'same', outcome: 'own' }],
    'GET /v1/watermark/{id}': [refused(watermark, 'not_found')],
    'DELETE /v1/watermark/{id}': [refused(watermark, 'not_found')],
  };
}

/** Settings of an organization have no ID: each reads and writes its own. */
function faceRecipes(): Readonly<Record<string, readonly Attempt[]>> {
  return {
    'GET /v1/face-settings': [own('/v1/face-settings')],
    'PATCH /v1/face-settings': [own('/v1/face-settings', { suggestions: false })],
    'GET /v1/usage': [own('/v1/usage')],
  };
}

/** Fields of its own, and edits of many assets at once. */
function detailRecipes(): Readonly<Record<string, readonly Attempt[]>> {
  const { tags, media, collection } = owner;
  const foreignField = `/v1/detail-field/${owner.detailField}`;
  const foreignOperation = `/v1/operation/${owner.operation}`;
  const bulk = '/v1/media/bulk';
  const ids = [stranger.media['id']];
  const set = { rating: 2 };
  return {
    'GET /v1/detail-field': [own('/v1/detail-field')],
    'POST /v1/detail-field': [own('/v1/detail-field', { key: 'mine', label: 'Mine', type: 'text' })],
    'GET /v1/detail-field/{id}': [refused(foreignField, 'not_found')],
    'PATCH /v1/detail-field/{id}': [refused(foreignField, 'not_found', { label: 'changed' })],
    'DELETE /v1/detail-field/{id}': [
      refused(foreignField, 'not_found'),
      refused(`${foreignField}?values=remove`, 'not_found'),
    ],
    'POST /v1/media/bulk': [
      own(bulk, { ids: [media['id'], owner.otherMedia['id']], set, tags: { add: [stranger.tags.player] } }),
      own(bulk, { ids: [media['id']], delete: true }),
      own(bulk, { filter: { name: owner.mark }, set }),
      refused(bulk, 'unknown_tag_option', { ids, tags: { add: [tags.player] } }),
      refused(bulk, 'unknown_tag_option', { ids, tags: { remove: [tags.player] } }),
      refused(bulk, 'unknown_tag_option', { filter: { player: tags.player }, set }),
      refused(bulk, 'unknown_collection', { filter: { collection }, set }),
      refused(bulk, 'unknown_collection', { ids, set: { collections: [collection] } }),
      refused(bulk, 'unknown_collection', { ids, collections: { add: [collection] } }),
      refused(bulk, 'unknown_collection', { ids, collections: { remove: [collection] } }),
    ],
    'GET /v1/operation': [own('/v1/operation?limit=200'), cursor('/v1/operation')],
    'GET /v1/operation/{id}': [refused(foreignOperation, 'not_found')],
    'GET /v1/operation/{id}/result': [
      refused(`${foreignOperation}/result`, 'not_found'),
      refused(`/v1/operation/${stranger.operation}/result?cursor=${owner.cursors['results']}`, 'cursor_invalid'),
    ],
    'DELETE /v1/operation/{id}': [refused(foreignOperation, 'not_found')],
  };
}

/** By `METHOD path` of the OpenAPI document. A route without a recipe fails the first test below. */
function recipes(): Readonly<Record<string, readonly Attempt[]>> {
  const { tags, media, collection } = owner;
  const foreignMedia = `/v1/media/${media['id']}`;
  const ownMedia = `/v1/media/${stranger.media['id']}`;
  const foreignVideo = `/v1/media/${owner.video}`;
  const foreignAction = `/v1/action/${owner.action['id']}`;
  const foreignTag = `/v1/tag/${tags.player}`;
  const ownTag = `/v1/tag/${stranger.tags.player}`;
  const foreignSearch = `/v1/saved-search/${owner.savedSearch}`;
  const ownSearch = `/v1/saved-search/${stranger.savedSearch}`;
  const foreignCollection = `/v1/collection/${collection}`;
  return {
    'GET /healthz': open('/healthz'),
    'GET /readyz': open('/readyz'),
    'GET /metrics': open('/metrics'),
    'GET /v1/openapi.json': open('/v1/openapi.json'),
    'GET /v1/me': open('/v1/me'),

    'GET /v1/key': [own('/v1/key?limit=200'), cursor('/v1/key')],
    'POST /v1/key': [own('/v1/key', { name: 'new', scopes: ['admin'] })],
    'DELETE /v1/key/{id}': [refused(`/v1/key/${owner.apiKey}`, 'not_found')],

    'GET /v1/tag/search': [
      own('/v1/tag/search?limit=200'),
      own(`/v1/tag/search?query=${owner.mark}`),
      own('/v1/tag/search?query=30'),
      refused(`/v1/tag/search?club=${tags.club}`, 'unknown_tag_option'),
      cursor('/v1/tag/search'),
    ],
    'GET /v1/tag': [
      own('/v1/tag?limit=200'),
      own('/v1/tag?external_id=test:player'),
      cursor('/v1/tag'),
      refused(`/v1/tag?club=${tags.club}&at=2026-01-01`, 'unknown_tag_option'),
    ],
    'GET /v1/tag/suggestion': [own('/v1/tag/suggestion?limit=200'), own(`/v1/tag/suggestion?tag=${tags.player}`)],
    'POST /v1/tag': foreignRelations('/v1/tag'),
    'POST /v1/tag/bulk': [
      own('/v1/tag/bulk', {
        tag_options: [
          { external_ids: { test: 'player' }, full_name: 'changed' },
          { type: 'player', label: 'new', external_ids: { test: 'new' }, relations: { clubs: [{ club: tags.club }] } },
        ],
      }),
    ],
    'GET /v1/tag/category': [own('/v1/tag/category')],
    'POST /v1/tag/category/rename': [
      own('/v1/tag/category/rename', { type: 'player', from: owner.mark, to: 'renamed' }),
    ],
    'GET /v1/tag/{id}/usage': Object.values(tags).map((id) => refused(`/v1/tag/${id}/usage`, 'not_found')),
    'GET /v1/tag/{id}': Object.values(tags).map((id) => refused(`/v1/tag/${id}`, 'not_found')),
    'PATCH /v1/tag/{id}': [
      refused(foreignTag, 'not_found', { label: 'changed' }),
      refused(ownTag, ['unknown_tag_option', 'validation_failed'], { relations: { clubs: [{ club: tags.club }] } }),
      refused(`/v1/tag/${stranger.tags.match}`, ['unknown_tag_option', 'validation_failed'], {
        relations: { home: tags.club },
      }),
    ],
    'DELETE /v1/tag/{id}': Object.values(tags).map((id) => refused(`/v1/tag/${id}`, 'not_found')),
    'POST /v1/tag/{id}/merge': [
      refused(`${foreignTag}/merge`, 'not_found', { into: stranger.tags.player }),
      refused(`${foreignTag}/merge`, 'not_found', { into: tags.player }),
      refused(`${ownTag}/merge`, 'unknown_tag_option', { into: tags.player }),
    ],

    'GET /v1/collection': [own('/v1/collection?limit=200'), cursor('/v1/collection')],
    'POST /v1/collection': [own('/v1/collection', { name: 'new' })],
    'GET /v1/collection/{id}': [refused(foreignCollection, 'not_found')],
    'PATCH /v1/collection/{id}': [refused(foreignCollection, 'not_found', { name: 'changed' })],
    'DELETE /v1/collection/{id}': [refused(foreignCollection, 'not_found')],

    ...faceRecipes(),
    ...detailRecipes(),
    ...imageRecipes(),

    'GET /v1/saved-search': [own('/v1/saved-search?limit=200'), cursor('/v1/saved-search')],
    'POST /v1/saved-search': [
      own('/v1/saved-search', { name: 'new', request: { player: stranger.tags.player } }),
      ...foreignFilters().map(({ body, outcome }) => ({
        path: '/v1/saved-search',
        body: { name: 'new', request: body },
        outcome,
      })),
    ],
    'GET /v1/saved-search/{id}': [refused(foreignSearch, 'not_found')],
    'PATCH /v1/saved-search/{id}': [
      refused(foreignSearch, 'not_found', { name: 'changed' }),
      refused(foreignSearch, 'not_found', { request: { rating: 5 } }),
      refused(ownSearch, 'unknown_tag_option', { request: { player: tags.player } }),
      refused(ownSearch, 'unknown_collection', { request: { collection } }),
    ],
    'DELETE /v1/saved-search/{id}': [refused(foreignSearch, 'not_found')],
    'POST /v1/saved-search/{id}/search': [
      refused(`${foreignSearch}/search`, 'not_found', {}),
      refused(`${foreignSearch}/search`, 'not_found', { limit: 1 }),
      own(`${ownSearch}/search`, {}),
      refused(`${ownSearch}/search`, 'cursor_invalid', { cursor: owner.cursors['/v1/media/search'] }),
    ],

    'POST /v1/media': [
      { path: '', upload: { tag_options: [tags.player] }, outcome: ['unknown_tag_option'] },
      { path: '', upload: { collections: [collection] }, outcome: ['unknown_collection'] },
      { path: '', upload: { external_id: 'first', name: 'mine.jpg' }, outcome: 'own' },
    ],
    'POST /v1/media/search': [
      own('/v1/media/search', {}),
      own('/v1/media/search', { name: owner.mark }),
      own('/v1/media/search', { text: owner.mark, highlight: true }),
      own('/v1/media/search', { text: `${owner.mark}x player`, sort: 'relevance', highlight: true }),
      own('/v1/media/search', {
        facets: ['tag_options', 'collection', { field: 'player', disjunctive: true }, 'captured_at', 'status'],
        images: [{ name: 'card', w: 60 }],
        include: ['details', 'exif'],
      }),
      refused('/v1/media/search', 'cursor_invalid', { cursor: owner.cursors['/v1/media/search'], limit: 1 }),
      ...foreignFilters(),
    ],
    'POST /v1/action/search': foreignActionFilters(),
    'POST /v1/media/{id}/action': [
      refused(`${foreignVideo}/action`, 'not_found', { type: 'goal', event_ms: 1 }),
      ...foreignActions(`/v1/media/${stranger.video}/action`),
    ],
    'GET /v1/media/{id}/action': [
      refused(`${foreignVideo}/action`, 'not_found'),
      refused(`/v1/media/${stranger.video}/action?cursor=${owner.cursors['actions']}`, 'cursor_invalid'),
      own(`/v1/media/${stranger.video}/action`),
    ],
    'POST /v1/action/bulk': [
      own('/v1/action/bulk', {
        actions: [
          { media_id: owner.video, type: 'goal', event_ms: 1 },
          { media_id: owner.video, type: 'goal', event_ms: 1, source: 'feed:test', source_ref: 'first' },
          { media_id: stranger.video, type: 'goal', event_ms: 1, players: [{ id: tags.player }] },
        ],
      }),
    ],
    'GET /v1/action/{id}': [refused(foreignAction, 'not_found')],
    'PATCH /v1/action/{id}': [
      refused(foreignAction, 'not_found', { label: 'changed' }),
      refused(`/v1/action/${stranger.action['id']}`, 'unknown_tag_option', { players: [{ id: tags.player }] }),
      refused(`/v1/action/${stranger.action['id']}`, 'unknown_tag_option', { match: tags.match }),
    ],
    'DELETE /v1/action/{id}': [refused(foreignAction, 'not_found')],
    'GET /v1/action/{id}/history': [refused(`${foreignAction}/history`, 'not_found')],
    'GET /v1/event': [own('/v1/event?limit=1000')],
    'GET /v1/media/{id}': [refused(foreignMedia, 'not_found')],
    'PATCH /v1/media/{id}': [
      refused(foreignMedia, 'not_found', { rating: 5 }),
      refused(ownMedia, 'unknown_tag_option', { tag_options: [tags.player] }),
      refused(ownMedia, 'unknown_collection', { collections: [collection] }),
    ],
    'DELETE /v1/media/{id}': [refused(foreignMedia, 'not_found')],
    'POST /v1/media/{id}/restore': [refused(`${foreignMedia}/restore`, 'not_found')],
    'POST /v1/media/{id}/retry': [refused(`${foreignMedia}/retry`, 'not_found')],
    'POST /v1/action/{id}/clip': [
      refused(`${foreignAction}/clip`, 'not_found', {}),
      refused(`/v1/action/${stranger.action['id']}/clip`, 'validation_failed', { media_id: owner.video }),
    ],
    'POST /v1/clip': [
      refused('/v1/clip', 'not_found', { actions: [owner.action['id']] }),
      refused('/v1/clip', 'not_found', { actions: [stranger.action['id'], owner.action['id']] }),
      refused('/v1/clip', 'not_found', { segments: [{ media_id: owner.video, in_ms: 0, out_ms: 1000 }] }),
    ],
    'GET /v1/clip': [own('/v1/clip?limit=200'), cursor('/v1/clip')],
    'GET /v1/clip/{id}': [refused(`/v1/clip/${owner.clip}`, 'not_found')],
    'DELETE /v1/clip/{id}': [refused(`/v1/clip/${owner.clip}`, 'not_found')],
    ...deliveryRecipes(),
    ...ruleRecipes({ owner, stranger, filters: foreignFilters() }),
    ...webhookRecipes(),
    // Never ends when it is let in: test/http/event-stream.test.ts reads it.
    'GET /v1/event/stream': [refused('/v1/event/stream?after=9007199254740991', 'validation_failed')],
    ...uploadRecipes(),

    'POST /v1/media/{id}/action/import': [refused(`${foreignMedia}/action/import`, 'not_found', { type: 'goal' })],
    'GET /v1/media/{id}/action/export': [refused(`${foreignMedia}/action/export?format=csv`, 'not_found')],
    'GET /v1/media/{id}/download': [
      refused(`${foreignMedia}/download`, 'not_found'),
      refused(`${foreignMedia}/download?metadata=embed`, 'not_found'),
      refused(`${foreignMedia}/download?metadata=sidecar`, 'not_found'),
      own(`${ownMedia}/download?metadata=sidecar`),
    ],
    'PATCH /v1/media/{id}/face/{n}': [
      refused(`${foreignMedia}/face/0`, 'not_found', { tag_option_id: stranger.tags.player }),
      refused(`${ownMedia}/face/0`, ['not_found', 'unknown_tag_option'], { tag_option_id: tags.player }),
    ],
    'POST /v1/media/{id}/tag': [
      refused(`${foreignMedia}/tag`, 'not_found', { add: [stranger.tags.player] }),
      refused(`${foreignMedia}/tag`, 'not_found', { remove: [tags.player] }),
      refused(`${ownMedia}/tag`, 'unknown_tag_option', { add: [tags.match] }),
      refused(`${ownMedia}/tag`, 'unknown_tag_option', { remove: [tags.player] }),
      refused(`${ownMedia}/tag`, 'unknown_tag_option', { suggest: [{ id: tags.player, source: 'ai:test' }] }),
      refused(`${ownMedia}/tag`, 'unknown_tag_option', { accept: [tags.player] }),
      refused(`${ownMedia}/tag`, 'unknown_tag_option', { reject: [tags.player] }),
    ],

    // What their tokens open is tested below; without one there is nothing.
    'GET /file/{organization}/{media}/{token}/{name}': [
      refused(`/file/${service.organizationId}/${media['id']}/x-1/photographer.jpg`, 'not_found'),
    ],
    'GET /delivery-file/{organization}/{delivery}/{name}': [
      refused(`/delivery-file/${service.organizationId}/${owner.delivery}/file.jpg`, 'not_found'),
      refused(`/delivery-file/${service.organizationId}/${owner.delivery}/file.jpg?exp=9999999999&s=x`, 'not_found'),
    ],
    'GET /clip-file/{organization}/{clip}/{nonce}/{name}': [
      refused(`/clip-file/${service.organizationId}/${owner.clip}/x/clip.mp4`, 'not_found'),
      refused(`/clip-file/${service.organizationId}/${owner.clip}/x/clip.mp4?exp=9999999999&s=x`, 'not_found'),
    ],
    'GET /img/{organization}/{media}/{file}': [
      refused(`/img/${service.organizationId}/${media['id']}/x-1.jpg`, 'not_found'),
      // The names of the owner's preset and watermark mean nothing on an image of the stranger's.
      refused(
        `${new URL(stranger.media['images'].url).pathname}?p=${owner.mark.toLowerCase()}`,
        'image_parameter_invalid',
      ),
      refused(
        `${new URL(stranger.media['images'].url).pathname}?wm=${owner.mark.toLowerCase()}`,
        'image_parameter_invalid',
      ),
    ],
  };
}

async function attempt(method: string, { path, body, upload, watermark, headers }: Attempt): Promise<Answer> {
  const { key } = stranger;
  if (watermark !== undefined) return putWatermark(service, { key, name: watermark });
  if (upload) return service.upload(await plainPhoto(1), { key, metadata: upload });
  return service.call(method, path, { key, ...(body && { body }), ...(headers && { headers }) });
}

describe('with the key of another organization', () => {
  test('every route has a recipe here', async () => {
    const { body: document } = await service.call('GET', '/v1/openapi.json');
    const routes = Object.entries<object>(document['paths']).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(routes.length).toBeGreaterThan(25);
    expect(Object.keys(recipes()).toSorted()).toEqual(routes.toSorted());
  });

  test('no route shows, uses or admits to knowing anything of the first', async () => {
    for (const [route, attempts] of Object.entries(recipes())) {
      const [method = ''] = route.split(' ');
      if (method !== 'HEAD') expect(attempts.length, route).toBeGreaterThan(0);
      for (const one of attempts) {
        const answer = await attempt(method, one);
        const at = `${route} ${JSON.stringify(one)}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 500)}`;
        expect(JSON.stringify(answer.body), at).not.toContain(owner.mark);
        if (one.outcome === 'own') expect(answer.status, at).toBeLessThan(300);
        else {
          expect(one.outcome, at).toContain(answer.body['code']);
          expectProblem(answer, answer.body['code']);
          expect([400, 404], at).toContain(answer.status);
        }
      }
    }
  });

  test('totals count its own objects only', async () => {
    const { key } = stranger;
    const search = async (body: object) => (await service.call('POST', '/v1/media/search', { key, body })).body;
    const all = await search({ limit: 200 });
    expect(all['total']).toBe(all['media'].length);
    expect(all['media'].length).toBeGreaterThan(0);
    expect(await search({ name: owner.mark })).toMatchObject({ total: 0, media: [] });
    const keys = await service.call('GET', '/v1/key?limit=200', { key });
    expect(keys.body['total']).toBe(keys.body['api_keys'].length);
    const tags = await service.call('GET', '/v1/tag/search?limit=200', { key });
    expect(tags.body['total']).toBe(tags.body['tag_options'].length);
    expect((await service.call('GET', `/v1/tag/search?query=${owner.mark}`, { key })).body['total']).toBe(0);
  });

  test('an object of the first is refused in the same words as one that never was', async () => {
    const pairs: readonly (readonly [string, string, number])[] = [
      ['GET', '/v1/media/ID', owner.media['id']],
      ['DELETE', '/v1/tag/ID', owner.tags.player],
      ['GET', '/v1/collection/ID', owner.collection],
      ['GET', '/v1/action/ID', owner.action['id']],
      ['GET', '/v1/clip/ID', owner.clip],
      ['GET', '/v1/destination/ID', owner.destination],
      ['DELETE', '/v1/delivery/ID', owner.delivery],
      ['GET', '/v1/webhook/ID', owner.webhook],
      ['GET', '/v1/action/ID/history', owner.action['id']],
      ['GET', '/v1/saved-search/ID', owner.savedSearch],
      ['GET', '/v1/detail-field/ID', owner.detailField],
      ['DELETE', '/v1/operation/ID', owner.operation],
      ['GET', '/v1/upload/ID', owner.upload],
      ['DELETE', '/v1/key/ID', owner.apiKey],
      ['DELETE', '/v1/image-key/ID', owner.imageKey],
      ['GET', '/v1/image-preset/ID', owner.imagePreset],
      ['GET', '/v1/watermark/ID', owner.watermark],
    ];
    const never = 9_007_199_254_740_991;
    for (const [method, path, id] of pairs) {
      const words = async (tried: number) => {
        const { body } = await service.call(method, path.replace('ID', String(tried)), { key: stranger.key });
        return JSON.stringify({ ...body, request_id: '' }).replaceAll(String(tried), 'ID');
      };
      expect(await words(id), path).toBe(await words(never));
    }
  });

  test('the same bytes and the same external ids are objects of its own', async () => {
    const again = await service.upload(await plainPhoto(1), { key: stranger.key });
    expect(again.body['duplicate']).toBe(true);
    expect(again.body['media'].id).toBe(stranger.media['id']);
    expect(again.body['media'].id).not.toBe(owner.media['id']);
    expect(again.body['media'].sha256).toBe(owner.media['sha256']);
    const found = await service.call('GET', '/v1/tag?external_id=test:player', { key: stranger.key });
    expect(found.body['tag_options']).toMatchObject([{ id: stranger.tags.player, full_name: 'changed' }]);
  });

  test('keywords in a photograph find the tag options of the organization that uploads it only', async () => {
    const keywords = [`${owner.mark} player`, `${stranger.mark} player`].map((word) => `<rdf:li>${word}</rdf:li>`);
    const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
      xmlns:dc="http://purl.org/dc/elements/1.1/"><rdf:Description rdf:about=""><dc:subject><rdf:Bag>${keywords.join('')}
      </rdf:Bag></dc:subject></rdf:Description></rdf:RDF></x:xmpmeta>`;
    const photo = await sharp(await plainPhoto(3))
      .withXmp(xmp)
      .jpeg()
      .toBuffer();
    const uploaded = await service.upload(photo, { key: stranger.key });
    expect(uploaded.body['media'].tag_options).toMatchObject([{ id: stranger.tags.player, source: 'metadata' }]);
  });

  test('deleting its copy of a photograph leaves the one of the first', async () => {
    const copy = await service.upload(await plainPhoto(2), { key: stranger.key });
    await service.call('DELETE', `/v1/media/${copy.body['media'].id}`, { key: stranger.key });
    const { url } = owner.otherMedia['qualities'].photographer;
    const response = await fetch(url);
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(await plainPhoto(2));
  });

  test('nothing of the first has changed, and no row ties the two together', async () => {
    const { db } = service.app.installation;
    const rows = new Set(await dumpRows(db));
    expect(ownerRows.length).toBeGreaterThan(40);
    // What the owner itself asked for is counted a few seconds later; whose requests count is tested with the usage.
    expect(ownerRows.filter((row) => !row.startsWith('usage_day: ') && !rows.has(row))).toEqual([]);
    const added = (await dumpRows(db)).filter(
      (row) => !row.startsWith('asset: ') && row.includes(owner.mark) && !ownerRows.includes(row),
    );
    expect(added).toEqual([]);
    const { checked, mixed } = await findMixedRows(db);
    expect(checked).toBeGreaterThan(60);
    expect(mixed).toEqual([]);
  });
});

describe('the token in the URL of a file or image', () => {
  const status = async (url: string): Promise<number> => (await fetch(url, { redirect: 'manual' })).status;
  const urlsOf = (library: TestLibrary['media']): string[] => [
    library['qualities'].photographer.url,
    library['qualities'].compressed.url,
    library['qualities'].thumbnail.url,
    `${library['images'].url}?w=32`,
  ];

  test('opens its own asset', async () => {
    for (const media of [owner.media, owner.otherMedia, stranger.media]) {
      for (const url of urlsOf(media)) expect(await status(url), url).toBe(200);
    }
  });

  test('opens no other asset, neither of its organization nor of another one, under no combination of IDs', async () => {
    const first = service.organizationId;
    const path = (organization: number, media: number) => `/${organization}/${media}/`;
    const [mine, beside, theirs] = [owner.media['id'], owner.otherMedia['id'], stranger.media['id']];
    const targets = [path(first, beside), path(strangerId, theirs), path(strangerId, mine), path(first, theirs)];
    for (const url of urlsOf(owner.media)) {
      expect(url).toContain(path(first, mine));
      for (const target of targets) expect(await status(url.replace(path(first, mine), target)), target).toBe(404);
    }
  });

  test('is of no use when it is changed in any place', async () => {
    for (const url of urlsOf(owner.media)) {
      const [, token = ''] = /\/([0-9A-Za-z_-]{20,})-\d+/.exec(url) ?? [];
      expect(token.length).toBeGreaterThan(28);
      for (const at of [0, 7, 8, 20, token.length - 2]) {
        const changed = token.slice(0, at) + (token[at] === 'a' ? 'b' : 'a') + token.slice(at + 1);
        expect(await status(url.replace(token, changed)), `place ${at}`).toBe(404);
      }
    }
  });
});
