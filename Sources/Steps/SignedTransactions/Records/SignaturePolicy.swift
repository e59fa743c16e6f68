internal import Diagnostics

/// Which tokens a pipeline takes, and on whose word.
public struct SignaturePolicy: Hashable, Sendable {
  /// How signatures are treated: `signatures: verify | trust`.
  public enum Signatures: String, Hashable, Sendable, CaseIterable {
    /// Nothing of a payload counts before its signature is right.
    case verify
    /// Signatures are not looked at: for files that this project's own fetch wrote.
    case trust
  }

  /// How signatures are treated.
  public var signatures: Signatures
  /// The apps whose tokens are taken; empty for all.
  ///
  /// Renewals name no app, so none is refused for it.
  public var bundleIDs: Set<String>
  /// The stores whose tokens are taken; both unless asked otherwise, as test purchases are counted.
  public var environments: Set<StoreEnvironment>

  /// Describes a policy.
  public init(
    signatures: Signatures = .verify, bundleIDs: Set<String> = [],
    environments: Set<StoreEnvironment> = [.production, .sandbox]
  ) {
    self.signatures = signatures
    self.bundleIDs = bundleIDs
    self.environments = environments
  }

  /// Refuses what Apple did not sign, and what is not wanted here.
  func check(_ content: SignedContent) throws(TokenFault) {
    switch content.environment {
    case .unrecognized("Xcode"): throw TokenFault(.tokenEnvironmentNotSigned, "Xcode")
    case .unrecognized("LocalTesting"): throw TokenFault(.tokenEnvironmentNotSigned, "LocalTesting")
    // A store that Apple adds later is a test store here, and goes where those go.
    case .unrecognized where environments.contains(.sandbox): break
    case let environment:
      guard environments.contains(environment) else { throw TokenFault(.tokenWrongEnvironment) }
    }
    guard !bundleIDs.isEmpty, let bundle = content.bundleID else { return }
    guard bundleIDs.contains(bundle) else { throw TokenFault(.tokenWrongBundle) }
  }
}
