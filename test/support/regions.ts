type Box = { readonly x: number; readonly y: number; readonly w: number; readonly h: number };

/** An XMP packet with face regions as the Metadata Working Group has them: centre and size, fractions of the picture. */
export function xmpRegions(regions: readonly (Box & { readonly name: string })[]): string {
  const items = regions.map(
    ({ name, x, y, w, h }) =>
      `<rdf:li rdf:parseType="Resource"><mwg-rs:Name>${name}</mwg-rs:Name><mwg-rs:Type>Face</mwg-rs:Type>` +
      `<mwg-rs:Area stArea:x="${x + w / 2}" stArea:y="${y + h / 2}" stArea:w="${w}" stArea:h="${h}" stArea:unit="normalized"/></rdf:li>`,
  );
  return (
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
    '<rdf:Description rdf:about="" xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/" xmlns:stArea="http://ns.adobe.com/xmp/sType/Area#">' +
    `<mwg-rs:Regions rdf:parseType="Resource"><mwg-rs:RegionList><rdf:Bag>${items.join('')}</rdf:Bag></mwg-rs:RegionList></mwg-rs:Regions>` +
    '</rdf:Description></rdf:RDF></x:xmpmeta>'
  );
}
