import {
  Building2,
  CalendarRange,
  CircleDot,
  FolderOpen,
  Handshake,
  type LucideIcon,
  Shield,
  Tag,
  Trophy,
  User,
} from 'lucide-react';
import type { ChipType } from './query.ts';

const ICONS: Readonly<Record<ChipType, LucideIcon>> = {
  player: User,
  club: Shield,
  match: CircleDot,
  competition: Trophy,
  season: CalendarRange,
  stadium: Building2,
  sponsor: Handshake,
  tag: Tag,
  collection: FolderOpen,
};

export const TYPE_NAMES: Readonly<Record<ChipType, { readonly one: string; readonly many: string }>> = {
  player: { one: 'Player', many: 'Players' },
  club: { one: 'Club', many: 'Clubs' },
  match: { one: 'Match', many: 'Matches' },
  competition: { one: 'Competition', many: 'Competitions' },
  season: { one: 'Season', many: 'Seasons' },
  stadium: { one: 'Stadium', many: 'Stadiums' },
  sponsor: { one: 'Sponsor', many: 'Sponsors' },
  tag: { one: 'Tag', many: 'Tags' },
  collection: { one: 'Collection', many: 'Collections' },
};

export function TypeIcon({ type }: { readonly type: ChipType }) {
  const Icon = ICONS[type];
  return <Icon aria-hidden />;
}
