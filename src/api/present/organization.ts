import type { LibraryScope } from '../../auth/index.ts';
import { AppError } from '../../base/index.ts';
import type { Publisher, Publishers } from '../image-access.ts';

/** The organization a request acts in. @throws AppError `not_found` when it was removed while its key was still remembered */
export async function organizationOf(
  deps: { readonly organizations: Publishers },
  scope: LibraryScope,
): Promise<Publisher> {
  const organization = await deps.organizations.find(scope.organizationId);
  if (!organization) throw new AppError('not_found', 'The organization does not exist any more.');
  return organization;
}
