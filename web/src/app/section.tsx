import { Link, Outlet } from '@tanstack/react-router';
import './section.css';

export type SectionPage<To extends string> = { readonly to: To; readonly label: string };

/** A screen of several pages: their names above, and the one of the address below. */
export function Section<To extends string>({
  title,
  pages,
}: {
  readonly title: string;
  readonly pages: readonly SectionPage<To>[];
}) {
  const [first] = pages;
  return (
    <div className="section">
      <h1 className="visually-hidden">{title}</h1>
      <nav className="section-pages" aria-label={title}>
        {pages.map(({ to, label }) => (
          <Link
            key={to}
            to={to as string}
            className="section-page"
            activeOptions={{ exact: to === first?.to, includeSearch: false }}
            activeProps={{ 'aria-current': 'page' }}
          >
            {label}
          </Link>
        ))}
      </nav>
      <div className="section-body">
        <Outlet />
      </div>
    </div>
  );
}
