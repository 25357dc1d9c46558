/** The people of the sample library. Every name is invented; a resemblance to a real player is chance. */
export type Position = 'Goalkeeper' | 'Defender' | 'Midfielder' | 'Forward';
export type HairStyle = 'short' | 'crop' | 'curly' | 'bun' | 'ponytail' | 'long' | 'bald' | 'braids' | 'fade';

export interface Player {
  readonly id: string;
  readonly club: 'pav' | 'nvk';
  readonly shirt: number;
  readonly fullName: string;
  readonly label: string;
  readonly position: Position;
  readonly nationality: string;
  readonly aliases: readonly string[];
  readonly skin: string;
  readonly hair: string;
  readonly hairStyle: HairStyle;
}

const SKIN = ['#f1c9a8', '#e3b18c', '#c98e62', '#a56c43', '#7b4b2e', '#573322'] as const;
const HAIR = {
  k: '#17130f',
  b: '#3b2618',
  c: '#6a4526',
  y: '#c79a55',
  r: '#8f3f1c',
  g: '#8f8a83',
} as const;

/** shirt | full name | shirt name | position | country | skin 0..5 | hair | style | nicknames by comma */
const AVERLEY = `
1|Tomáš Vrbický|Vrbický|Goalkeeper|CZ|0|b|short|The Wall,Tomas
2|Iker Goñizalde|Goñizalde|Defender|ES|1|k|fade|Goñi
3|Lasse Øvregård|Øvregård|Defender|NO|0|y|short|Lasse
4|Ante Šimrak|Šimrak|Defender|HR|1|b|crop|Captain Ante,Shimi
5|Obinna Ezekwuru|Ezekwuru|Defender|NG|5|k|fade|Obi
6|Łukasz Wierzbnik|Wierzbnik|Midfielder|PL|0|c|short|Luki,Lukasz
7|Mateo Núñera Roldán|Núñera|Forward|UY|2|k|curly|Teo,El Faro
8|Callum O'Dwerry|O'Dwerry|Midfielder|IE|0|r|short|Dwez
9|Žan Podlesek|Podlesek|Forward|SI|1|b|crop|Zan,The Heron
10|João Valdremo|João Valdremo|Midfielder|PT|2|k|curly|JV10,Joãozinho
11|Ismaël N'Dombasi|N'Dombasi|Forward|FR|5|k|braids|Isma
12|Kwabena Adu-Sarfo|Adu-Sarfo|Goalkeeper|GH|4|k|fade|Kwabs
14|Hiroto Kanzawa|Kanzawa|Midfielder|JP|1|k|short|Hiro
15|Hlynur Þorvarðsson|Þorvarðsson|Defender|IS|0|y|bun|Thor
16|Dafydd Merrion-Pugh|Merrion-Pugh|Defender|GB-WLS|0|c|crop|Daf
17|Emre Çağlıtürk|Çağlıtürk|Forward|TR|1|k|fade|Emre
18|Seong Jae-won|Jae-won|Midfielder|KR|1|k|short|Jae
19|Wendell Baptiste-Joyce|Baptiste-Joyce|Forward|TT|4|k|braids|Wends,BJ
21|Răzvan Ștefuleac|Ștefuleac|Midfielder|RO|1|b|short|Razvan
23|Youssef El Amraji|El Amraji|Defender|MA|2|k|curly|Youss`;

const NORRVIKA = `
1|Ingrid Håkvall|Håkvall|Goalkeeper|SE|0|y|ponytail|Isen
2|Saga Lindqvarn|Lindqvarn|Defender|SE|0|y|bun|Saga
3|Marisol Peñalverde|Peñalverde|Defender|CO|2|k|ponytail|Sol
4|Kateryna Dovhalets|Dovhalets|Defender|UA|0|b|bun|Katya
5|Ástríður Hafberg|Hafberg|Defender|IS|0|r|ponytail|Asta
6|Noor ter Braakveld|Ter Braakveld|Midfielder|NL|1|c|ponytail|Noor
7|Thandeka Mokwana|Mokwana|Forward|ZA|4|k|braids|Thandi,Lightning
8|Élodie Marchevault|Marchevault|Midfielder|FR|0|b|ponytail|Elo
9|Ebba Strömqvall|Strömqvall|Forward|SE|0|y|ponytail|Ebban,Captain Ebba
10|Yuzuki Amanogi|Amanogi|Midfielder|JP|1|k|bun|Yuzu
11|Priscila Duarte-Leão|Duarte-Leão|Forward|BR|3|k|curly|Pri
13|Päivi Kortelahti|Kortelahti|Goalkeeper|FI|0|c|bun|Päivi
14|Gréta Szöllőhegyi|Szöllőhegyi|Midfielder|HU|0|b|long|Greta
15|Adwoa Frimpomaa|Frimpomaa|Defender|GH|5|k|bun|Adwoa
16|Zuzanna Śliwacka|Śliwacka|Defender|PL|0|c|ponytail|Zuza
17|Marit Sørbøen|Sørbøen|Forward|NO|0|y|bun|Marit
18|Keilani Kaho'okele|Kaho'okele|Midfielder|US|3|k|long|Kei
19|Amina Bensalhia|Bensalhia|Forward|DZ|2|k|ponytail|Mina
20|Đào Thuỳ Miên|Thuỳ Miên|Midfielder|VN|1|k|ponytail|Mien
22|Siobhán D'Arcy-Quinlan|D'Arcy-Quinlan|Defender|IE|0|r|ponytail|Shiv`;

function parse(club: Player['club'], table: string): Player[] {
  return table
    .trim()
    .split('\n')
    .map((line) => {
      const [
        shirt = '',
        fullName = '',
        label = '',
        position = '',
        nationality = '',
        skin = '0',
        hair = 'k',
        style = 'short',
        nicknames = '',
      ] = line.split('|');
      return {
        id: `player:${club}-${shirt.padStart(2, '0')}`,
        club,
        shirt: Number(shirt),
        fullName,
        label,
        // The three casts hold because the tables above are the only input.
        position: position as Position,
        nationality,
        aliases: nicknames.split(',').filter((name) => name !== ''),
        skin: SKIN[Number(skin)] ?? SKIN[0],
        hair: HAIR[hair as keyof typeof HAIR],
        hairStyle: style as HairStyle,
      };
    });
}

export const PLAYERS: readonly Player[] = [...parse('pav', AVERLEY), ...parse('nvk', NORRVIKA)];

export function player(club: Player['club'], shirt: number): Player {
  const found = PLAYERS.find((one) => one.club === club && one.shirt === shirt);
  if (found === undefined) throw new Error(`expected a squad number of ${club}, received ${shirt}`);
  return found;
}
