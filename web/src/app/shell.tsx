import { useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useMatches, useNavigate } from '@tanstack/react-router';
import { Images, type LucideIcon, Send, Settings, Upload } from 'lucide-react';
import { useEffect } from 'react';
import { useMe } from '../api/me.ts';
import { onSessionChange, useSession } from '../api/session.ts';
import { ToastRegion } from '../ui/toast.tsx';
import { AccountMenu } from './account-menu.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { useArrivals } from '../upload/use-arrivals.ts';
import { ShortcutOverlay, useShortcuts } from './shortcuts.tsx';
import { SignIn } from './sign-in.tsx';
import './shell.css';

type Place = {
  readonly to: '/' | '/upload' | '/deliver' | '/admin';
  readonly label: string;
  readonly icon: LucideIcon;
  readonly keys: string;
};

const PLACES: readonly Place[] = [
  { to: '/', label: 'Library', icon: Images, keys: 'g l' },
  { to: '/upload', label: 'Upload', icon: Upload, keys: 'g u' },
  { to: '/deliver', label: 'Deliver', icon: Send, keys: 'g d' },
  { to: '/admin', label: 'Admin', icon: Settings, keys: 'g a' },
];

/** The frame of every screen: where one is, and the ways elsewhere. Without a key it is the sign-in. */
export function Shell() {
  const session = useSession();
  const client = useQueryClient();
  // What one key has seen is not for the next.
  useEffect(() => onSessionChange(() => client.clear()), [client]);
  return (
    <>
      {session ? <Frame /> : <SignIn />}
      <ToastRegion />
    </>
  );
}

function Frame() {
  const { data: me } = useMe();
  const navigate = useNavigate();
  // Of the screen that is shown: while the next one loads, this one stays as it is.
  const pathname = useMatches({ select: (matches) => matches.at(-1)?.pathname });
  useArrivals(me?.scopes.includes('media.read') === true);
  useShortcuts(
    PLACES.map(({ to, label, keys }) => ({
      keys,
      label: `Go to ${label}`,
      group: 'Everywhere',
      run: () => void navigate({ to }),
    })),
  );
  return (
    <div className="shell">
      <header className="shell-bar">
        <span className="shell-name" title={me?.organization.name}>
          {me?.organization.name ?? 'Touchline'}
        </span>
        <nav className="shell-places" aria-label="Screens">
          {PLACES.map(({ to, label, icon: Icon }) => (
            <Link
              key={to}
              to={to}
              className="shell-place"
              activeOptions={{ exact: to === '/', includeSearch: false }}
              activeProps={{ 'aria-current': 'page' }}
            >
              <Icon aria-hidden />
              <span>{label}</span>
            </Link>
          ))}
        </nav>
        <AccountMenu />
      </header>
      <main className="shell-main" id="main">
        <ErrorBoundary key={pathname}>
          <Outlet />
        </ErrorBoundary>
      </main>
      <ShortcutOverlay />
    </div>
  );
}
