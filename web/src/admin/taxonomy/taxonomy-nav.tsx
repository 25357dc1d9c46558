import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { TAG_TYPES, tagCategoriesQuery } from '../../api/tags.ts';
import { TYPE_NAMES, TypeIcon } from '../../library/type-icon.tsx';
import { formatShortCount } from '../../ui/format.ts';
import { type TaxonomySearch, writeTaxonomySearch } from './taxonomy-search.ts';

/** Types and their categories, with the number of tag options. Free tags are what an organization sorts by categories of its own. */
export function TaxonomyNav({ search }: { readonly search: TaxonomySearch }) {
  const { data: counted } = useQuery(tagCategoriesQuery);
  const countOf = (isOf: (one: { readonly type: string; readonly category: string | null }) => boolean) =>
    counted?.filter(isOf).reduce((sum, one) => sum + one.active + one.deactivated, 0);
  const to = (change: Partial<TaxonomySearch>) =>
    writeTaxonomySearch({ ...search, type: undefined, category: undefined, tag: undefined, ...change });
  return (
    <nav className="taxonomy-nav" aria-label="Types and categories">
      <Entry
        label="Everything"
        count={countOf(() => true)}
        search={to({})}
        isShown={search.type === undefined && search.category === undefined}
      />
      {TAG_TYPES.map((type) => (
        <div key={type} className="taxonomy-nav-type">
          <Entry
            icon={<TypeIcon type={type} />}
            label={TYPE_NAMES[type].many}
            count={countOf((one) => one.type === type)}
            search={to({ type })}
            isShown={search.type === type && search.category === undefined}
          />
          {counted
            ?.filter((one) => one.type === type && one.category !== null)
            .map(({ category, active, deactivated }) => (
              <Entry
                key={category}
                isCategory
                label={category ?? ''}
                count={active + deactivated}
                search={to({ type, category: category ?? undefined })}
                isShown={search.type === type && search.category === category}
              />
            ))}
        </div>
      ))}
    </nav>
  );
}

function Entry({
  icon,
  label,
  count,
  search,
  isShown,
  isCategory = false,
}: {
  readonly icon?: React.ReactNode;
  readonly label: string;
  readonly count: number | undefined;
  readonly search: Record<string, string>;
  readonly isShown: boolean;
  readonly isCategory?: boolean;
}) {
  return (
    <Link
      to="/admin/taxonomy"
      search={search}
      className={isCategory ? 'taxonomy-entry taxonomy-entry-category' : 'taxonomy-entry'}
      aria-current={isShown ? 'page' : undefined}
      // The same address in full; which entry is shown while a form is open says the line above.
      activeOptions={{ exact: true }}
    >
      {icon}
      <span className="taxonomy-entry-label">{label}</span>
      <span className="quiet taxonomy-entry-count">{count === undefined ? '' : formatShortCount(count)}</span>
    </Link>
  );
}
