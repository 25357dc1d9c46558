import { type ActionFilter, type Filter, firstActionOf } from './filter-tree.ts';

/** The filter without its tests of a field that must hold by themselves: at the root and, through any depth of `all`, below. */
export function withoutTests(filter: Filter, field: string): Filter {
  if (filter.kind !== 'all') return filter;
  const kept = filter.filters.filter((child) => !('field' in child && child.field === field));
  return { kind: 'all', filters: kept.map((child) => withoutTests(child, field)) };
}

/** As `withoutTests`, of a field of the organization's own. */
export function withoutTestsOfDetail(filter: Filter, fieldId: number): Filter {
  if (filter.kind !== 'all') return filter;
  const kept = filter.filters.filter((child) => !(child.kind === 'detail' && child.detail.id === fieldId));
  return { kind: 'all', filters: kept.map((child) => withoutTestsOfDetail(child, fieldId)) };
}

/** As `withoutTests`; without those of `role` players count in any role. */
export function withoutActionTests(filter: ActionFilter, field: string): ActionFilter {
  if (filter.kind === 'ids' && filter.roles && field === 'role') {
    const { roles: _roles, ...anyRole } = filter;
    return anyRole;
  }
  if (filter.kind !== 'all') return filter;
  const kept = filter.filters.filter((child) => !('field' in child && child.field === field));
  return { kind: 'all', filters: kept.map((child) => withoutActionTests(child, field)) };
}

/** The filter of assets with what it asks of actions first (see `firstActionOf`) without its tests of a field. */
export function withoutTestsOfAction(filter: Filter, field: string): Filter {
  if (filter.kind === 'action') return { kind: 'action', filter: withoutActionTests(filter.filter, field) };
  if (filter.kind !== 'all' && filter.kind !== 'any') return filter;
  const at = filter.filters.findIndex((child) => firstActionOf(child));
  const filters = filter.filters.map((child, n) => (n === at ? withoutTestsOfAction(child, field) : child));
  return { kind: filter.kind, filters };
}
