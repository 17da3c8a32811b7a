import { Component, type ComponentChildren } from 'preact';

interface Props {
  readonly children: ComponentChildren;
}

interface State {
  readonly hasFailed: boolean;
}

/**
 * Reports what its children throw while they are drawn, and draws nothing in their place, so that everything around it
 * is drawn. It tries again when its parent is drawn again.
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
