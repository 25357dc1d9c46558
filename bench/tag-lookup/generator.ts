/** Believable sports names from a seed: parts of names are put together here, none is copied from a data set. */
import type { TagLookupRecord, TagType } from '../../src/search/tag-lookup/index.ts';

export type Random = () => number;

/** Mulberry32: 32 bits of state, the same numbers on every machine. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function pick<T>(random: Random, items: readonly T[]): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('expected a list with items, received an empty one');
  return item;
}

const words = (text: string): readonly string[] => text.split(' ');

const GIVEN = words(
  'Adrián Aïcha Aleksandar Alessia Ålund Amadou André Anneli Antônio Arda Beatriz Benjamin Björn Bruna Çağlar Carla ' +
    'Chidi Chloé Dániel Désiré Diego Dušan Eero Élodie Emre Erling Ewa Fatima Ferrán Fiona Gonçalo Grzegorz Håkon Hannah ' +
    'Hélène Hugo Ibrahima Inês Iván Jakub João Joško Júlia Kaito Kévin Khadija Kwame Lærke Leila Łukasz Luís Maëlle Malik ' +
    'Márcio Martin Mateusz Mehmet Mia Nahuel Nikola Noé Núria Olga Ömer Ørjan Paweł Pedro Peter Rafael Raphaël René Rúben ' +
    'Sadio Salma Šime Søren Sven Takumi Thiago Tomáš Ulrike Vinícius Wojciech Yūki Žan Zoë Иван Кирилл Олег 伟 明 Νίκος',
);
const STEMS = words(
  'Al Ander Bal Bek Berg Bor Bran Carv Castel Dal Dim Domin Dra Eri Fab Fern Ferr Gal Gar Gund Hal Han Hern Hols Iva Jan ' +
    'Jov Kal Kar Kov Kris Lam Len Lind Lop Mac Mar Mart Mend Mil Mor Mül Nak Nav Nik Nov Oli Ort Pav Per Pet Pop Quin Ram ' +
    'Rod Ros Sal San Sesk Sil Sol Stan Ste Sven Tak Tav Tor Tur Urb Val Vas Vid Vuk Wal Wes Yam Yil Zab Zim Šik Đor Łas Øst',
);
const MIDDLES = words(
  'a an ar e el en er i il in ir o ol on or u ul un ia eo ou ai ć ž ã é ü ø la ra va ma no re ti do',
);
const ENDINGS = words(
  'son sen ić ovič ev ova ski ska ez es inho ão eira elli ini etti oglu maz mann feld berg gaard strøm quist dóttir ' +
    'akis opoulos yan adze uk enko escu aru moto kawa tano mura diop keita traore boa mensah owusu eche oka',
);
const PLACES_A = words(
  'Harbour North South East West New Old Upper Lower Saint Port Fort Lake River Green Stone Silver Iron King Queen Ash Oak ' +
    'Elm Bright Salt Mill Bridge Castle Wolf Raven Fox Crow White Black Red Golden Little Great High Long Fair Spring Winter',
);
const PLACES_B = words(
  'haven ford burgh ton ville field wick mouth dale port minster stead gate well bury holm vik stadt heim dorf ów grad hrad ' +
    'são sur Mer Hills City Valley Bay Island Rock Cross Park Beach Springs Falls Heights Junction Plains',
);
const CLUB_ENDS = words('FC City United Rovers Athletic Wanderers Sporting Dynamo Real Union SC Women Academy II');
const STADIUM_ENDS = words('Arena Stadium Park Ground Field Dome Oval Road');
const TAG_WORDS = words(
  'celebration training warm-up tunnel press conference portrait close-up wide aerial crowd flag banner trophy kit boots ' +
    'substitution corner penalty free-kick save goal shot tackle foul card injury huddle coin-toss mascot fireworks rain ' +
    'snow night sunset emotion joy despair anger focus captain referee bench coach interview signing medal lap honour',
);
const SPONSOR_ENDS = words(
  'Bank Air Motors Energy Telecom Foods Insurance Sports Digital Bet Water Cola Logistics Steel Pay',
);

function familyName(random: Random): string {
  const middle = random() < 0.6 ? pick(random, MIDDLES) : '';
  const name = pick(random, STEMS) + middle + pick(random, ENDINGS);
  if (random() < 0.04) return `de ${name}`;
  return random() < 0.05 ? `${name}-${pick(random, STEMS)}${pick(random, ENDINGS)}` : name;
}

function place(random: Random): string {
  const second = pick(random, PLACES_B);
  const first = pick(random, PLACES_A);
  const joined = /^[A-Z]/.test(second) ? `${first} ${second}` : first + second;
  return random() < 0.4
    ? `${pick(random, STEMS)}${pick(random, MIDDLES)}${pick(random, PLACES_B).toLowerCase()}`
    : joined;
}

type Club = { readonly label: string; readonly fullName: string; readonly aliases: readonly string[] };

function club(random: Random): Club {
  const town = place(random);
  const end = pick(random, CLUB_ENDS);
  const initials = `${town} ${end}`.replace(/(\S)\S*\s*/g, '$1').toUpperCase();
  return {
    label: `${town} ${end}`,
    fullName: `${town} ${end} Football Club`,
    aliases: [initials + end.charAt(1), town],
  };
}

/** The library of the workload: `counts` tag options a type, ids from 1, media counts with a long tail. */
export function generateLibrary(counts: Readonly<Record<TagType, number>>, random: Random): readonly TagLookupRecord[] {
  const clubs = Array.from({ length: counts.club }, () => club(random));
  const seasons = Array.from({ length: 60 }, (_, at) => `${1966 + at}/${String((1967 + at) % 100).padStart(2, '0')}`);
  const makers: Readonly<Record<TagType, (at: number) => Partial<TagLookupRecord> & { label: string }>> = {
    player: () => player(random, clubs),
    club: (at) => clubs[at] ?? { label: 'FC' },
    stadium: () => ({ label: `${place(random)} ${pick(random, STADIUM_ENDS)}` }),
    competition: (at) => ({
      label: `${place(random)} ${pick(random, ['League', 'Cup', 'Trophy'])}`,
      aliases: [`L${at}`],
    }),
    season: () => ({ label: `${place(random)} League ${pick(random, seasons)}` }),
    match: (at) => ({
      label: `${pick(random, clubs).label} - ${pick(random, clubs).label}`,
      fullName: `Matchday ${1 + (at % 38)} ${pick(random, seasons)}`,
    }),
    sponsor: () => ({ label: `${pick(random, STEMS)}${pick(random, MIDDLES)} ${pick(random, SPONSOR_ENDS)}` }),
    tag: (at) => ({
      label: `${pick(random, TAG_WORDS)} ${pick(random, TAG_WORDS)}${at < 500 ? '' : ` ${at}`}`,
      category: pick(random, ['action type', 'shot type', 'mood', 'kit']),
    }),
  };
  const records: TagLookupRecord[] = [];
  // A list typed by hand: the keys of an object would be strings to the compiler.
  const types: readonly TagType[] = ['player', 'club', 'stadium', 'competition', 'season', 'match', 'sponsor', 'tag'];
  for (const type of types) {
    for (let at = 0; at < counts[type]; at += 1) {
      records.push({
        id: records.length + 1,
        type,
        category: null,
        fullName: null,
        aliases: [],
        shirts: [],
        mediaCount: Math.floor(random() ** 6 * 20_000),
        status: random() < 0.02 ? 'deactivated' : 'active',
        ...makers[type](at),
      });
    }
  }
  return records;
}

function player(random: Random, clubs: readonly Club[]): Partial<TagLookupRecord> & { label: string } {
  const given = pick(random, GIVEN);
  const family = familyName(random);
  const home = pick(random, clubs);
  return {
    label: random() < 0.3 ? `${given.charAt(0)}. ${family}` : `${given} ${family}`,
    fullName: `${given} ${random() < 0.3 ? `${pick(random, GIVEN)} ` : ''}${family}`,
    aliases: random() < 0.1 ? [given + pick(random, ENDINGS)] : [],
    shirts:
      random() < 0.6
        ? [
            {
              number: 1 + Math.floor(random() * 40),
              clubNames: [home.label, home.fullName, ...home.aliases],
              from: null,
              to: null,
            },
          ]
        : [],
  };
}
