import { Code, Keyboard, LogOut, Moon, Settings2, Sun, SunMoon } from 'lucide-react';
import { useMe } from '../api/me.ts';
import { signOut } from '../api/session.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Popover } from '../ui/popover.tsx';
import { RadioGroup } from '../ui/radio-group.tsx';
import { Button } from '../ui/button.tsx';
import { chooseTheme, useThemeChoice, type ThemeChoice } from './theme.ts';
import './account-menu.css';

const THEMES: readonly { readonly value: ThemeChoice; readonly label: string }[] = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];
const ICONS = { system: SunMoon, light: Sun, dark: Moon };

/** Whose key this is and what it may do; theme, shortcuts, signing out. */
export function AccountMenu() {
  const { data: me } = useMe();
  const theme = useThemeChoice();
  const ThemeIcon = ICONS[theme];
  return (
    <Popover label="Session" placement="bottom end" trigger={<IconButton icon={Settings2} label="Session and theme" />}>
      {({ close }) => (
        <div className="account">
          <section>
            <h2>{me?.organization.name ?? ' '}</h2>
            <p className="quiet">
              Key “{me?.api_key.name}” <code>{me?.api_key.prefix}…</code>
            </p>
            <ul className="account-scopes" aria-label="Scopes of the key">
              {me?.scopes.map((scope) => (
                <li key={scope}>{scope}</li>
              ))}
            </ul>
          </section>
          <div className="account-theme">
            <ThemeIcon aria-hidden />
            <RadioGroup label="Theme" options={THEMES} value={theme} onChange={chooseTheme} />
          </div>
          <div className="account-links">
            <Button
              tone="quiet"
              onPress={() => {
                close();
                // Through the registry's own key, so that there is one way to open it.
                document.dispatchEvent(new KeyboardEvent('keydown', { key: '?' }));
              }}
            >
              <Keyboard aria-hidden /> Keyboard shortcuts
            </Button>
            <a className="ui-button ui-button-quiet" href="/docs" target="_blank" rel="noreferrer">
              <Code aria-hidden /> Documentation of the API
            </a>
            <Button tone="quiet" onPress={() => signOut('left')}>
              <LogOut aria-hidden /> Sign out
            </Button>
          </div>
        </div>
      )}
    </Popover>
  );
}
