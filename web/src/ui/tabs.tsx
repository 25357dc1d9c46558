import type { ReactNode } from 'react';
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from 'react-aria-components';
import './tabs.css';

export type TabEntry = { readonly id: string; readonly label: string; readonly content: ReactNode };

export function Tabs({
  label,
  tabs,
  selected,
  onSelect,
}: {
  readonly label: string;
  readonly tabs: readonly TabEntry[];
  /** Without it the tabs keep the selection themselves. */
  readonly selected?: string;
  readonly onSelect?: (id: string) => void;
}) {
  return (
    <AriaTabs
      className="ui-tabs"
      {...(selected === undefined ? {} : { selectedKey: selected })}
      onSelectionChange={(key) => onSelect?.(String(key))}
    >
      <TabList className="ui-tab-list" aria-label={label}>
        {tabs.map(({ id, label: text }) => (
          <Tab key={id} id={id} className="ui-tab">
            {text}
          </Tab>
        ))}
      </TabList>
      {tabs.map(({ id, content }) => (
        <TabPanel key={id} id={id} className="ui-tab-panel">
          {content}
        </TabPanel>
      ))}
    </AriaTabs>
  );
}
