import './skeleton.css';

/** A box where something will be. It shows after 150 ms only: what is quicker than that never flickers. */
export function Skeleton({ width, height }: { readonly width?: number | string; readonly height: number | string }) {
  return <span className="ui-skeleton" style={{ width: width ?? '100%', height }} aria-hidden />;
}
