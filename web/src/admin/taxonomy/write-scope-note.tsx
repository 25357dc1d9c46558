import { Lock } from 'lucide-react';
import { useHasScope, useMe } from '../../api/me.ts';
import './taxonomy.css';

/** Says why nothing here can be changed, where the key lacks the scope. */
export function WriteScopeNote() {
  const { data: me } = useMe();
  const canWrite = useHasScope('tags.write');
  if (!me || canWrite) return null;
  return (
    <p role="status" className="taxonomy-note taxonomy-scope">
      <Lock aria-hidden />
      <span>
        This key may look, but not change anything here: it lacks the scope <code>tags.write</code>. An administrator of
        the organization can make a key that has it.
      </span>
    </p>
  );
}
