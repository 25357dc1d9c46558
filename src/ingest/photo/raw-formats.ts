/** ExifTool's FileType names of camera RAW formats (exiftool.org, supported file types). */
const RAW_FILE_TYPES = new Set(
  '3FR ARQ ARW CR2 CR3 CRW DCR DNG ERF FFF IIQ K25 KDC MEF MOS MRW NEF NRW ORF PEF RAF RAW RW2 RWL SR2 SRF SRW X3F'.split(
    ' ',
  ),
);

export function isRawFileType(fileType: string | undefined): boolean {
  return fileType !== undefined && RAW_FILE_TYPES.has(fileType);
}
