import { Slider as AriaSlider, Label, SliderOutput, SliderThumb, SliderTrack } from 'react-aria-components';
import './slider.css';

/** A number between two ends. `format` says how it reads, such as `80 %`. */
export function Slider({
  label,
  value,
  onChange,
  onChangeEnd,
  min,
  max,
  step = 1,
  format = String,
  isDisabled = false,
}: {
  readonly label: string;
  readonly value: number;
  readonly onChange: (value: number) => void;
  /** When it is let go, or moved by a key. */
  readonly onChangeEnd?: (value: number) => void;
  readonly min: number;
  readonly max: number;
  readonly step?: number;
  readonly format?: (value: number) => string;
  readonly isDisabled?: boolean;
}) {
  const share = max === min ? 0 : (value - min) / (max - min);
  return (
    <AriaSlider
      className="ui-slider"
      value={value}
      onChange={onChange}
      {...(onChangeEnd && { onChangeEnd })}
      minValue={min}
      maxValue={max}
      step={step}
      isDisabled={isDisabled}
    >
      <Label className="ui-label">{label}</Label>
      <SliderOutput className="ui-slider-output">{() => format(value)}</SliderOutput>
      <SliderTrack className="ui-slider-track">
        <div className="ui-slider-fill" style={{ width: `${share * 100}%` }} />
        <SliderThumb className="ui-slider-thumb" />
      </SliderTrack>
    </AriaSlider>
  );
}
