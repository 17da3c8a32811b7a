import { Component, type ComponentChildren } from 'preact';

interface Props {
  readonly children: ComponentChildren;
}

interface State {
  readonly hasFailed: boolean;
}

/**
 * Reports errors that its children throw while they render, and renders nothing in their place, so that the rest of the
 * panel keeps working. Renders the children again when its parent renders again.
 */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { hasFailed: false };

  override componentDidCatch(error: unknown): void {
    reportError(error);
    this.setState({ hasFailed: true });
  }

  override componentWillReceiveProps(): void {
    this.setState({ hasFailed: false });
  }

  override render(): ComponentChildren {
    return this.state.hasFailed ? null : this.props.children;
  }
}
