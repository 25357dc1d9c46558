import { Check, X } from 'lucide-react';
import { type Media, type TagChange, useMediaWrites } from '../api/media.ts';
import { showProblem } from '../app/problem-view.tsx';
import { TagField } from '../tags/tag-field.tsx';
import { IconButton } from '../ui/icon-button.tsx';

const TYPES = [
  ['player', 'Players'],
  ['club', 'Clubs'],
  ['match', 'Matches'],
  ['competition', 'Competitions'],
  ['season', 'Seasons'],
  ['stadium', 'Stadiums'],
  ['sponsor', 'Sponsors'],
  ['tag', 'Tags'],
] as const;

/** The tag options of an asset by their type, and what machines suggest. */
export function TagsPanel({ media, canWrite }: { readonly media: Media; readonly canWrite: boolean }) {
  const { tag } = useMediaWrites(media.id);
  const write = (change: TagChange) =>
    tag.mutate(change, { onError: (fault) => showProblem(fault, 'The tags were not changed') });
  return (
    <div className="photo-panel">
      {canWrite && (
        <TagField
          label="Add a tag"
          placeholder="Player, club, match, sponsor…"
          onChoose={({ id }) => write({ add: [id] })}
        />
      )}
      {TYPES.map(([type, heading]) => {
        const tags = media.tag_options.filter((one) => one.type === type);
        return tags.length === 0 ? null : (
          <section key={type}>
            <h3>{heading}</h3>
            <ul className="photo-tags">
              {tags.map(({ id, label, source }) => (
                <li key={id}>
                  <span>{label}</span>
                  {source !== 'manual' && <span className="quiet">{source}</span>}
                  {canWrite && (
                    <IconButton icon={X} size="s" label={`Remove ${label}`} onPress={() => write({ remove: [id] })} />
                  )}
                </li>
              ))}
            </ul>
          </section>
        );
      })}
      {media.tag_options.length === 0 && <p className="quiet">No tag is on it yet.</p>}
      {media.suggested_tag_options.length > 0 && (
        <section>
          <h3>Suggested</h3>
          <ul className="photo-tags">
            {media.suggested_tag_options.map(({ id, label, source }) => (
              <li key={id}>
                <span>{label}</span>
                <span className="quiet">{source}</span>
                {canWrite && (
                  <>
                    <IconButton
                      icon={Check}
                      size="s"
                      label={`Accept ${label}`}
                      onPress={() => write({ accept: [id] })}
                    />
                    <IconButton icon={X} size="s" label={`Reject ${label}`} onPress={() => write({ reject: [id] })} />
                  </>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
