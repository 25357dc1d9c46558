/** Taxonomy. */
export function TaxonomyView() {
  return <p>Taxonomy.</p>;
}
