import type { ReactElement } from 'react';
import { Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components';
import { Kbd } from './kbd.tsx';
import './tooltip.css';

/** Shows a text beside what it wraps, one focusable element, while that is pointed at or focused. */
export function Tooltip({
  text,
  keys,
  children,
}: {
  readonly text: string;
  readonly keys?: string;
  readonly children: ReactElement;
}) {
  return (
    <TooltipTrigger delay={500} closeDelay={0}>
      {children}
      <AriaTooltip className="ui-tooltip" offset={6}>
        {text}
        {keys !== undefined && <Kbd keys={keys} />}
      </AriaTooltip>
    </TooltipTrigger>
  );
}
