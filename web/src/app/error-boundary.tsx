import { Component, type ReactNode } from 'react';
import { ProblemView } from './problem-view.tsx';

/** Keeps a fault in one part of the page from taking the rest away. Give it a `key` that changes where another try makes sense. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render(): ReactNode {
    if (this.state.error === undefined) return this.props.children;
    return <ProblemView error={this.state.error} onRetry={() => this.setState({ error: undefined })} />;
  }
}
