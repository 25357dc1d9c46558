import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { GitMerge, Images, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { type TagOption, tagQuery, tagUsageQuery, useTagWrites } from '../../api/tags.ts';
import { useDiscardGuard } from '../../app/discard-guard.tsx';
import { fieldError } from '../../app/field-errors.ts';
import { ProblemNote, ProblemView } from '../../app/problem-view.tsx';
import { TYPE_NAMES } from '../../library/type-icon.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { formatCount, plural } from '../../ui/format.ts';
import { DeleteTagDialog } from './tag-delete.tsx';
import { bodyOf, changeOf, draftOf, type TagDraft } from './tag-draft.ts';
import { TagForm } from './tag-form.tsx';
import { MergeTagDialog } from './tag-merge.tsx';
import { TagName } from './tag-reference.tsx';

/** The form of one that is not there yet. */
export function NewTagPanel({
  initial,
  onMade,
  onClose,
}: {
  readonly initial: TagDraft;
  readonly onMade: (tag: TagOption) => void;
  readonly onClose: () => void;
}) {
  const [draft, setDraft] = useState(initial);
  const { create } = useTagWrites();
  const save = () => {
    create.mutate(bodyOf(draft), {
      onSuccess: onMade,
    });
  };
  return (
    <EditorPanel
      title={`New ${TYPE_NAMES[draft.type].one.toLowerCase()}`}
      isChanged={draft !== initial}
      onClose={onClose}
      footer={
        <Button
          tone="primary"
          type="submit"
          form="tag-form"
          isDisabled={draft.label.trim() === ''}
          isPending={create.isPending}
        >
          Create
        </Button>
      }
    >
      <Form onSubmit={save}>
        <TagForm
          draft={draft}
          isNew
          isReadOnly={false}
          errorAt={(pointer) => fieldError(create.error, pointer)}
          onChange={setDraft}
        />
        <ProblemNote error={create.error} />
      </Form>
    </EditorPanel>
  );
}

/** A tag option that is there: read by who may only look, edited, merged and deleted by who may write. */
export function TagPanel({
  id,
  canWrite,
  onOpen,
  onClose,
}: {
  readonly id: number;
  readonly canWrite: boolean;
  readonly onOpen: (id: number) => void;
  readonly onClose: () => void;
}) {
  const { data: tag, error, refetch } = useQuery({ ...tagQuery(id), staleTime: 0 });
  if (!tag && error) {
    return (
      <EditorPanel title="Tag option" isChanged={false} onClose={onClose}>
        <ProblemView error={error} onRetry={() => void refetch()} />
      </EditorPanel>
    );
  }
  // It opens with what it shows; a panel that is empty for a moment would flicker.
  if (!tag) return null;
  return <Editor key={tag.id} tag={tag} canWrite={canWrite} onOpen={onOpen} onClose={onClose} />;
}

function Editor({
  tag,
  canWrite,
  onOpen,
  onClose,
}: {
  readonly tag: TagOption;
  readonly canWrite: boolean;
  readonly onOpen: (id: number) => void;
  readonly onClose: () => void;
}) {
  // The version that the form began with: someone else's change in between is refused, not overwritten.
  const [base, setBase] = useState(tag);
  const [draft, setDraft] = useState(() => draftOf(tag));
  const [asking, setAsking] = useState<'merge' | 'delete'>();
  const { change } = useTagWrites();
  const isReadOnly = !canWrite || tag.status === 'merged';
  const body = changeOf(base, draft);
  // Said in the panel: a message at the edge of the screen would cover its buttons.
  const [said, setSaid] = useState('');
  const start = (from: TagOption) => {
    setBase(from);
    setDraft(draftOf(from));
    change.reset();
  };
  const save = () => {
    setSaid('');
    // The button is there all the same: one that is switched off would lose the focus, and with it Escape.
    if (!body) return setSaid('Nothing was changed');
    change.mutate(
      { tag: base, body },
      {
        onSuccess: (saved) => {
          start(saved);
          setSaid('Saved');
        },
      },
    );
  };
  const isOutdated = tag.version > base.version && !change.isPending;
  // Nothing was typed: then what is new is shown.
  if (isOutdated && body === undefined) start(tag);
  return (
    <>
      <EditorPanel
        title={tag.full_name ?? tag.label}
        isChanged={body !== undefined}
        onClose={onClose}
        footer={
          isReadOnly ? undefined : (
            <>
              <Button tone="quiet" className="tag-delete" onPress={() => setAsking('delete')}>
                <Trash2 aria-hidden /> Delete…
              </Button>
              <Button onPress={() => setAsking('merge')}>
                <GitMerge aria-hidden /> Merge…
              </Button>
              <span role="status" className="quiet tag-said">
                {said}
              </span>
              <Button tone="primary" type="submit" form="tag-form" isPending={change.isPending}>
                Save
              </Button>
            </>
          )
        }
      >
        <TagFacts tag={tag} />
        {tag.status === 'merged' && tag.merged_into !== null && (
          <p role="status" className="taxonomy-note">
            It was merged into{' '}
            <Button tone="quiet" size="s" onPress={() => onOpen(tag.merged_into ?? tag.id)}>
              <TagName id={tag.merged_into} />
            </Button>
            and leads there wherever it is asked for.
          </p>
        )}
        {isOutdated && body !== undefined && (
          <p role="status" className="taxonomy-note">
            Someone else has changed it meanwhile.
            <Button size="s" onPress={() => start(tag)}>
              Show it as it is now
            </Button>
          </p>
        )}
        <Form onSubmit={save}>
          <TagForm
            draft={draft}
            isNew={false}
            isReadOnly={isReadOnly}
            errorAt={(pointer) => fieldError(change.error, pointer)}
            onChange={(next) => {
              setSaid('');
              setDraft(next);
            }}
          />
          <ProblemNote error={change.error} />
        </Form>
      </EditorPanel>
      {asking === 'merge' && (
        <MergeTagDialog tag={tag} onMerged={onClose} onOpen={onOpen} onClose={() => setAsking(undefined)} />
      )}
      {asking === 'delete' && (
        <DeleteTagDialog
          tag={tag}
          onDeleted={onClose}
          onDeactivated={(saved) => {
            setAsking(undefined);
            start(saved);
            setSaid('Deactivated');
          }}
          onMerge={() => setAsking('merge')}
          onClose={() => setAsking(undefined)}
        />
      )}
    </>
  );
}

/** Where it is used, with the way there. */
function TagFacts({ tag }: { readonly tag: TagOption }) {
  const { data: usage } = useQuery(tagUsageQuery(tag.id));
  const facts = [
    usage && usage.actions > 0 ? plural(usage.actions, 'action') : undefined,
    usage && usage.tag_options > 0 ? `named by ${plural(usage.tag_options, 'other')}` : undefined,
    usage && usage.matches > 0 ? plural(usage.matches, 'match', 'matches') : undefined,
    usage && usage.merged > 0 ? `${formatCount(usage.merged)} merged into it` : undefined,
  ].filter((fact) => fact !== undefined);
  return (
    <p className="tag-facts">
      <span>{TYPE_NAMES[tag.type].one}</span>
      <Link to="/" search={{ [tag.type]: String(tag.id) }}>
        <Images aria-hidden /> {plural(tag.media_count, 'asset')}
      </Link>
      {facts.map((fact) => (
        <span key={fact}>{fact}</span>
      ))}
      <span className="quiet">ID {tag.id}</span>
    </p>
  );
}

function Form({ onSubmit, children }: { readonly onSubmit: () => void; readonly children: React.ReactNode }) {
  return (
    <form
      id="tag-form"
      className="tag-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}

/** A drawer that asks before it takes away what was typed. */
function EditorPanel({
  title,
  isChanged,
  footer,
  onClose,
  children,
}: {
  readonly title: string;
  readonly isChanged: boolean;
  readonly footer?: React.ReactNode;
  readonly onClose: () => void;
  readonly children: React.ReactNode;
}) {
  const { close, question } = useDiscardGuard(isChanged, onClose);
  return (
    <Dialog kind="drawer" width="l" title={title} isOpen onClose={close} footer={footer}>
      {children}
      {question}
    </Dialog>
  );
}
