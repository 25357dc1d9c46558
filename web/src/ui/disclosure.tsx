import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Disclosure as AriaDisclosure, Button, DisclosurePanel, Heading } from 'react-aria-components';
import './disclosure.css';

/** Something that is opened where it stands, by those who want it. */
export function Disclosure({
  label,
  level = 3,
  isInitiallyOpen = false,
  children,
}: {
  readonly label: ReactNode;
  /** Of the heading that opens it. */
  readonly level?: number;
  readonly isInitiallyOpen?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <AriaDisclosure className="ui-disclosure" defaultExpanded={isInitiallyOpen}>
      <Heading level={level}>
        <Button slot="trigger" className="ui-disclosure-button">
          <ChevronRight aria-hidden />
          {label}
        </Button>
      </Heading>
      <DisclosurePanel className="ui-disclosure-panel">{children}</DisclosurePanel>
    </AriaDisclosure>
  );
}
