import { type Moment, momentText, parseMoment } from '../moment.ts';
import { parameter } from './row.ts';

/** Which picture of a video it is. */
export const MOMENT_ROWS = [
  parameter({
    name: 't',
    aliases: [],
    expects: 'seconds from 0 to 86400, such as 12.5, or action:<id of an action>',
    parse: (text): Moment | undefined => parseMoment(text),
    canonical: ({ moment }) => moment && momentText(moment),
    doc:
      'The frame of a video that shows at this second (decimals allowed; past the end the last frame), or at the moment of ' +
      'an action in this video. Default: its poster frame. Photos have none.',
  }),
] as const;
