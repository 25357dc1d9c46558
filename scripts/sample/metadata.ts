/** Press metadata of one photo: IPTC and XMP as an agency would deliver it, EXIF as a camera would. */
import type { ExifTool } from 'exiftool-vendored';
import { PEOPLE } from './cutouts.ts';
import type { Photo } from './plan.ts';
import type { FaceRegion } from './scenes/face-scene.ts';
import { CLUBS, COMPETITIONS } from './world.ts';

function regionInfo(photo: Photo, faces: readonly FaceRegion[]): Record<string, unknown> {
  const { widthPx, heightPx } = photo.context;
  return {
    AppliedToDimensions: { W: widthPx, H: heightPx, Unit: 'pixel' },
    // MWG 2.0 regions give the centre of the area, not its corner.
    RegionList: faces.map(({ who, box }) => ({
      Name: PEOPLE[who].label,
      Type: 'Face',
      Area: {
        X: round((box.x + box.w / 2) / widthPx),
        Y: round((box.y + box.h / 2) / heightPx),
        W: round(box.w / widthPx),
        H: round(box.h / heightPx),
        Unit: 'normalized',
      },
    })),
  };
}
const round = (value: number): number => Math.round(value * 10_000) / 10_000;

export async function writeMetadata(
  exiftool: ExifTool,
  options: { readonly path: string; readonly photo: Photo; readonly faces: readonly FaceRegion[] },
): Promise<void> {
  const { photo, faces, path } = options;
  const competition = COMPETITIONS.find((one) => one.id === photo.match?.competition);
  // A photo tagged by the sidecar carries only the agency's plain words; the others tell everything themselves.
  const full = photo.via === 'iptc';
  const people = [...photo.players.map((one) => one.fullName), ...new Set(faces.map(({ who }) => PEOPLE[who].label))];
  const keywords = full
    ? [
        ...new Set([
          ...photo.terms.map((term) => term.label),
          ...photo.clubs.map((key) => CLUBS[key].label),
          ...(competition === undefined ? [] : [competition.label]),
          photo.stadium.label,
          ...photo.sponsors,
          ...photo.players.map((one) => one.label),
          'football',
        ]),
      ]
    : ['football', photo.stadium.city];
  const { random } = photo.context;
  const copyright = `© 2026 ${photo.byline} / Touchline sample library, CC0`;
  const tags: Record<string, unknown> = {
    'IPTC:Headline': photo.headline,
    'XMP-photoshop:Headline': photo.headline,
    'IPTC:ObjectName': photo.file.replace('.jpg', ''),
    'XMP-dc:Title': photo.headline,
    'IPTC:Caption-Abstract': photo.caption,
    'XMP-dc:Description': photo.caption,
    'EXIF:ImageDescription': photo.caption,
    'IPTC:By-line': photo.byline,
    'XMP-dc:Creator': [photo.byline],
    'EXIF:Artist': photo.byline,
    'IPTC:Credit': 'Touchline Sample',
    'XMP-photoshop:Credit': 'Touchline Sample',
    'IPTC:CopyrightNotice': copyright,
    'XMP-dc:Rights': copyright,
    'EXIF:Copyright': copyright,
    'IPTC:City': photo.stadium.city,
    'XMP-photoshop:City': photo.stadium.city,
    'IPTC:Country-PrimaryLocationName': photo.stadium.country,
    'XMP-photoshop:Country': photo.stadium.country,
    'IPTC:Sub-location': photo.stadium.label,
    'XMP-iptcCore:Location': photo.stadium.label,
    'IPTC:Keywords': keywords,
    'XMP-dc:Subject': keywords,
    'IPTC:CodedCharacterSet': 'UTF8',
    'EXIF:DateTimeOriginal': photo.takenAt,
    'EXIF:OffsetTimeOriginal': photo.offset,
    'EXIF:SubSecTimeOriginal': String(random.int(10, 99)),
    'EXIF:CreateDate': photo.takenAt,
    'EXIF:OffsetTimeDigitized': photo.offset,
    'EXIF:Make': 'Touchline Sample',
    'EXIF:Model': `TS-${random.pick(['1', '2 Pro'])}`,
    'EXIF:LensModel': random.pick(['TS 400mm f/2.8', 'TS 70-200mm f/2.8', 'TS 24-70mm f/2.8']),
    'EXIF:ISO': photo.context.light === 'day' ? 200 : 3200,
    'EXIF:ExposureTime': '1/1000',
    'EXIF:FNumber': 2.8,
    ...(full && photo.match !== undefined ? { 'XMP-iptcExt:Event': photo.match.label } : {}),
    ...((full || faces.length > 0) && people.length > 0
      ? { 'XMP-iptcExt:PersonInImage': full ? people : [...new Set(faces.map(({ who }) => PEOPLE[who].label))] }
      : {}),
    ...(faces.length > 0 ? { 'XMP-mwg-rs:RegionInfo': regionInfo(photo, faces) } : {}),
    ...(photo.rating !== undefined && full ? { 'XMP-xmp:Rating': photo.rating } : {}),
  };
  await exiftool.write(path, tags, {
    writeArgs: ['-overwrite_original', '-charset', 'iptc=utf8', '-struct'],
  });
}
