import { FolderUp, Pause, Play, Upload as UploadIcon } from 'lucide-react';
import { useState } from 'react';
import { DropZone, FileTrigger, isDirectoryDropItem, isFileDropItem } from 'react-aria-components';
import type { DropItem } from 'react-aria-components';
import { useHasScope } from '../api/me.ts';
import { ChosenTags } from '../tags/chosen-tags.tsx';
import type { ChosenTag } from '../tags/tag-field.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { UploadList, UploadSummary } from './upload-list.tsx';
import { addUploads, clearDone, pauseAll, resumeAll, useUploads } from './uploads.ts';
import './upload.css';

/** A folder that was dropped is read whole; this many files are the most of one drop. */
const MAX_FILES = 20_000;

/** Files and folders become assets; what goes on goes on when another screen is shown. */
export function UploadScreen() {
  const canWrite = useHasScope('media.write');
  const items = useUploads();
  const [tags, setTags] = useState<readonly ChosenTag[]>([]);
  const take = (files: readonly File[]) => addUploads(files, { tagOptions: tags.map(({ id }) => id), collections: [] });
  if (!canWrite) {
    return (
      <EmptyState icon={UploadIcon} title="This key may not upload">
        Uploading needs a key with the scope media.write. An administrator of the organization can make one.
      </EmptyState>
    );
  }
  const isMoving = items.some(({ state }) => state === 'sending' || state === 'waiting');
  const canGoOn = items.some(({ state }) => state === 'paused' || state === 'failed');
  return (
    <div className="upload">
      <h1 className="visually-hidden">Upload</h1>
      <DropZone
        className="upload-zone"
        aria-label="Drop photos, videos or folders here"
        onDrop={({ items: dropped }) => void filesOf(dropped).then(take)}
      >
        <UploadIcon aria-hidden />
        <p>Drop photos, videos or folders here</p>
        <div className="upload-choose">
          <FileTrigger allowsMultiple onSelect={(files) => take([...(files ?? [])])}>
            <Button tone="primary">Choose files</Button>
          </FileTrigger>
          <FileTrigger acceptDirectory onSelect={(files) => take([...(files ?? [])])}>
            <Button>
              <FolderUp aria-hidden /> Choose a folder
            </Button>
          </FileTrigger>
        </div>
      </DropZone>
      <section className="upload-tags" aria-label="Tags for all files">
        <ChosenTags
          label="Tags for all files that come next"
          placeholder="Match, club, player…"
          tags={tags}
          onChange={setTags}
        />
      </section>
      {items.length > 0 && (
        <section aria-label="Files">
          <div className="upload-bar">
            <UploadSummary items={items} />
            <Button size="s" isDisabled={!isMoving} onPress={pauseAll}>
              <Pause aria-hidden /> Pause all
            </Button>
            <Button size="s" isDisabled={!canGoOn} onPress={resumeAll}>
              <Play aria-hidden /> Go on with all
            </Button>
            <Button size="s" isDisabled={!items.some(({ state }) => state === 'ready')} onPress={clearDone}>
              Clear what is done
            </Button>
          </div>
          <UploadList items={items} />
        </section>
      )}
    </div>
  );
}

/** The files of a drop, those in folders too. Names that begin with a dot are of the system. */
async function filesOf(dropped: readonly DropItem[]): Promise<readonly File[]> {
  const files: File[] = [];
  const visit = async (item: DropItem): Promise<void> => {
    if (files.length >= MAX_FILES) return;
    if (isFileDropItem(item)) {
      const file = await item.getFile();
      if (!file.name.startsWith('.')) files.push(file);
    } else if (isDirectoryDropItem(item)) {
      for await (const entry of item.getEntries()) await visit(entry);
    }
  };
  for (const item of dropped) await visit(item);
  return files;
}
