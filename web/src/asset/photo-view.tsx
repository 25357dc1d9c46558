import { useState } from 'react';
import { showProblem } from '../app/problem-view.tsx';
import { useHasScope } from '../api/me.ts';
import { type Media, useMediaWrites } from '../api/media.ts';
import { Tabs } from '../ui/tabs.tsx';
import { CropsPanel } from './crops-panel.tsx';
import { DetailsPanel } from './details-panel.tsx';
import { FacesPanel } from './faces-panel.tsx';
import { type Point, PhotoStage } from './photo-stage.tsx';
import { TagsPanel } from './tags-panel.tsx';

/** A photo, large, with everything that is known of it beside. */
export function PhotoView({ media }: { readonly media: Media }) {
  const canWrite = useHasScope('media.write');
  const { change } = useMediaWrites(media.id);
  const [tab, setTab] = useState('details');
  const [shownFace, setShownFace] = useState<number>();
  const setFocal = (focal: Point | null) =>
    change.mutate(
      { body: { focal }, version: media.version },
      { onError: (fault) => showProblem(fault, 'The focal point was not kept') },
    );
  return (
    <div className="photo">
      <PhotoStage
        media={media}
        showsFaces={tab === 'faces'}
        shownFace={shownFace}
        onFace={setShownFace}
        {...(canWrite && tab === 'crops' && { onFocal: setFocal })}
      />
      <aside className="photo-side" aria-label="About the photo">
        <Tabs
          label="About the photo"
          selected={tab}
          onSelect={setTab}
          tabs={[
            { id: 'details', label: 'Details', content: <DetailsPanel media={media} canWrite={canWrite} /> },
            { id: 'tags', label: 'Tags', content: <TagsPanel media={media} canWrite={canWrite} /> },
            {
              id: 'faces',
              label: 'Faces',
              content: <FacesPanel media={media} canWrite={canWrite} shown={shownFace} onShow={setShownFace} />,
            },
            {
              id: 'crops',
              label: 'Crops',
              content: <CropsPanel media={media} {...(canWrite && { onFocalGone: () => setFocal(null) })} />,
            },
          ]}
        />
      </aside>
    </div>
  );
}
