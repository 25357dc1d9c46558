import { CHANGE_TYPES, type ChangeType, type LibraryEvent } from './changes-store.ts';

/** An event as it is answered, streamed and posted. */
export type EventDocument = {
  readonly id: number;
  readonly type: ChangeType;
  readonly created_at: string;
  readonly object: { readonly kind: string; readonly id: number };
  readonly data: Readonly<Record<string, unknown>>;
};

export function eventDocument({ version, type, objectId, data, createdAt }: LibraryEvent): EventDocument {
  return {
    id: version,
    type,
    created_at: createdAt.toISOString(),
    object: { kind: type.slice(0, type.indexOf('.')), id: objectId },
    data,
  };
}

/** Of API keys and image keys: shown to admins only. */
export const isAdminEvent = (type: ChangeType): boolean => /^(?:api|image)_key\./.test(type);

/** The types that a name stands for: itself, those that begin as `media.*` says, or all (`*`). None for a name that is unknown. */
export function eventTypesOf(name: string): readonly ChangeType[] {
  if (name === '*') return CHANGE_TYPES;
  const prefix = name.endsWith('.*') ? name.slice(0, -1) : undefined;
  return CHANGE_TYPES.filter((type) => (prefix === undefined ? type === name : type.startsWith(prefix)));
}
