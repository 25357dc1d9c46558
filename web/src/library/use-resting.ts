import { useEffect, useState } from 'react';

/** The value as it was when it last stayed the same for so long. The first one counts at once. */
export function useResting<Value>(value: Value, restMs: number): Value {
  const [resting, setResting] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setResting(value), restMs);
    return () => clearTimeout(timer);
  }, [restMs, value]);
  return resting;
}
