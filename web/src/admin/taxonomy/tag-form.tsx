import { useQuery } from '@tanstack/react-query';
import { TAG_TYPES, tagCategoriesQuery, type TagType } from '../../api/tags.ts';
import { TYPE_NAMES } from '../../library/type-icon.tsx';
import { Select } from '../../ui/select.tsx';
import { Switch } from '../../ui/switch.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { CategoryField } from './category-field.tsx';
import { emptyDraft, type TagDraft } from './tag-draft.ts';
import { AliasField, ExternalIdField } from './tag-form-lists.tsx';
import { MatchFields, ReferenceFields, RelationFields } from './tag-relations.tsx';

const TYPES = TAG_TYPES.map((type) => ({ value: type, label: TYPE_NAMES[type].one }));
const ACTION_TYPE = 'action type';

/** The fields of a tag option; which there are follows from its type. */
export function TagForm({
  draft,
  isNew,
  isReadOnly,
  errorAt,
  onChange,
}: {
  readonly draft: TagDraft;
  /** Then its type can be chosen; it never changes later. */
  readonly isNew: boolean;
  readonly isReadOnly: boolean;
  /** What the service said of a member, by JSON pointer. */
  readonly errorAt: (pointer: string) => string | undefined;
  readonly onChange: (draft: TagDraft) => void;
}) {
  const { data: counted } = useQuery(tagCategoriesQuery);
  const categories = (counted ?? []).flatMap(({ type, category }) =>
    type === draft.type && category !== null ? [category] : [],
  );
  const changeType = (type: TagType) => {
    const { label, fullName, imageUrl, aliases, externalIds } = draft;
    onChange({ ...emptyDraft(type), label, fullName, imageUrl, aliases, externalIds });
  };
  const isActionType = draft.type === 'tag' && draft.category === ACTION_TYPE;
  const part = { draft, isReadOnly, errorAt, onChange };
  return (
    <>
      {isNew && <Select label="Type" options={TYPES} value={draft.type} onChange={changeType} />}
      <div className="tag-pairs">
        <TextField
          label="Name"
          isRequired
          autoFocus={isNew}
          isReadOnly={isReadOnly}
          value={draft.label}
          onChange={(label) => onChange({ ...draft, label })}
          error={errorAt('/label')}
        />
        <TextField
          label="Full name"
          isReadOnly={isReadOnly}
          value={draft.fullName}
          onChange={(fullName) => onChange({ ...draft, fullName })}
          error={errorAt('/full_name')}
        />
        <CategoryField
          label="Category"
          suggestions={categories}
          isReadOnly={isReadOnly}
          value={draft.category}
          onChange={(category) => onChange({ ...draft, category })}
          error={errorAt('/category')}
        />
        <TextField
          label="Address of a picture"
          type="url"
          placeholder="https://"
          isReadOnly={isReadOnly}
          value={draft.imageUrl}
          onChange={(imageUrl) => onChange({ ...draft, imageUrl })}
          error={errorAt('/image_url')}
        />
      </div>
      {isActionType && (
        <p className="quiet">
          A type of actions in videos. Its name, or its ID of the system <code>action_type</code>, is what feeds and
          imports call it. The key that logs it belongs to each browser: it is set on the page of a video.
        </p>
      )}
      <Switch
        isSelected={draft.isActive}
        isReadOnly={isReadOnly}
        onChange={(isActive) => onChange({ ...draft, isActive })}
      >
        {draft.isActive ? 'Active: it may be put on assets' : 'Deactivated: on no more assets, found all the same'}
      </Switch>
      <ReferenceFields {...part} />
      <MatchFields {...part} />
      <RelationFields {...part} />
      <AliasField
        aliases={draft.aliases}
        isReadOnly={isReadOnly}
        error={errorAt('/aliases')}
        onChange={(aliases) => onChange({ ...draft, aliases })}
      />
      <ExternalIdField
        externalIds={draft.externalIds}
        isReadOnly={isReadOnly}
        errorAt={errorAt}
        onChange={(externalIds) => onChange({ ...draft, externalIds })}
      />
    </>
  );
}
