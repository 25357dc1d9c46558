/** What a key may do. `admin` includes managing keys; it does not include the other scopes. */
export const SCOPES = ['media.read', 'media.write', 'tags.write', 'actions.write', 'delivery.run', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

declare const brand: unique symbol;

/**
 * Proof of which organization a request may touch. Only this folder makes one, and every store asks for one: a query
 * that forgot its organization does not compile.
 */
export type LibraryScope = { readonly organizationId: number; readonly [brand]: true };

/**
 * A scope over one organization. Called by authentication, and by jobs and commands that act on the installation's behalf.
 */
export function scopeOf(organizationId: number): LibraryScope {
  // The brand exists only in the type system; this is the one place that grants it.
  return Object.freeze({ organizationId }) as LibraryScope;
}
