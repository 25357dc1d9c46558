import { type ReactElement, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
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
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (!isOpen) return undefined;
    // Closed before the key gets to the document, where React Aria would keep it: one Escape is for the dialog below too.
    const onKeyDown = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') flushSync(() => setOpen(false));
    };
    window.addEventListener('keydown', onKeyDown, true);
    return () => window.removeEventListener('keydown', onKeyDown, true);
  }, [isOpen]);
  return (
    <TooltipTrigger delay={500} closeDelay={0} isOpen={isOpen} onOpenChange={setOpen}>
      {children}
      <AriaTooltip className="ui-tooltip" offset={6}>
        {text}
        {keys !== undefined && <Kbd keys={keys} />}
      </AriaTooltip>
    </TooltipTrigger>
  );
}
