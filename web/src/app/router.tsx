import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import { EmptyState } from '../ui/empty-state.tsx';
import { ProblemView } from './problem-view.tsx';
import { Shell } from './shell.tsx';

/** What an address may hold behind `?`: texts. Each screen reads its own (`validateSearch`). */
export type Search = Readonly<Record<string, string>>;

function parseSearch(text: string): Search {
  return Object.fromEntries(new URLSearchParams(text));
}

function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  // These need no escape behind `?` (RFC 3986, 3.4), and an address that is shared should be readable.
  return text === '' ? '' : `?${text.replaceAll('%2C', ',').replaceAll('%3A', ':').replaceAll('%21', '!')}`;
}

const root = createRootRoute({
  component: Shell,
  notFoundComponent: () => (
    <EmptyState icon={Compass} title="There is no such page">
      The address may have been cut off. The library is the first of the screens above.
    </EmptyState>
  ),
});

const texts = (search: Readonly<Record<string, unknown>>): Search =>
  Object.fromEntries(Object.entries(search).map(([name, value]) => [name, String(value)]));

export const libraryRoute = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: texts,
  component: lazyRouteComponent(() => import('../library/library-screen.tsx'), 'LibraryScreen'),
});
export const assetRoute = createRoute({
  getParentRoute: () => root,
  path: '/asset/$assetId',
  validateSearch: texts,
  component: lazyRouteComponent(() => import('../asset/asset-screen.tsx'), 'AssetScreen'),
});
export const uploadRoute = createRoute({
  getParentRoute: () => root,
  path: '/upload',
  component: lazyRouteComponent(() => import('../upload/upload-screen.tsx'), 'UploadScreen'),
});
export const deliverRoute = createRoute({
  getParentRoute: () => root,
  path: '/deliver',
  component: lazyRouteComponent(() => import('../deliver/deliver-screen.tsx'), 'DeliverScreen'),
});
export const deliveriesRoute = createRoute({
  getParentRoute: () => deliverRoute,
  path: '/',
  validateSearch: texts,
  component: lazyRouteComponent(() => import('../deliver/deliveries/deliveries-view.tsx'), 'DeliveriesView'),
});
export const destinationsRoute = createRoute({
  getParentRoute: () => deliverRoute,
  path: 'destinations',
  validateSearch: texts,
  component: lazyRouteComponent(() => import('../deliver/destinations/destinations-view.tsx'), 'DestinationsView'),
});
export const rulesRoute = createRoute({
  getParentRoute: () => deliverRoute,
  path: 'rules',
  validateSearch: texts,
  component: lazyRouteComponent(() => import('../deliver/rules/rules-view.tsx'), 'RulesView'),
});
export const adminRoute = createRoute({
  getParentRoute: () => root,
  path: '/admin',
  component: lazyRouteComponent(() => import('../admin/admin-screen.tsx'), 'AdminScreen'),
});
export const keysRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/',
  validateSearch: texts,
  component: lazyRouteComponent(() => import('../admin/keys/keys-view.tsx'), 'KeysView'),
});
export const webhooksRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: 'webhooks',
  validateSearch: texts,
  component: lazyRouteComponent(() => import('../admin/webhooks/webhooks-view.tsx'), 'WebhooksView'),
});
export const taxonomyRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: 'taxonomy',
  validateSearch: texts,
  component: lazyRouteComponent(() => import('../admin/taxonomy/taxonomy-view.tsx'), 'TaxonomyView'),
});
export const rosterRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: 'roster',
  validateSearch: texts,
  component: lazyRouteComponent(() => import('../admin/roster/roster-view.tsx'), 'RosterView'),
});
export const usageRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: 'usage',
  validateSearch: texts,
  component: lazyRouteComponent(() => import('../admin/usage/usage-view.tsx'), 'UsageView'),
});

export const router = createRouter({
  routeTree: root.addChildren([
    libraryRoute,
    assetRoute,
    uploadRoute,
    deliverRoute.addChildren([deliveriesRoute, destinationsRoute, rulesRoute]),
    adminRoute.addChildren([keysRoute, webhooksRoute, taxonomyRoute, rosterRoute, usageRoute]),
  ]),
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultPendingMs: 150,
  defaultErrorComponent: ({ error, reset }) => <ProblemView error={error} onRetry={reset} />,
  scrollRestoration: false,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
