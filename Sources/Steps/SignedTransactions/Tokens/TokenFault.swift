public import Diagnostics

/// Why nothing of a token is used.
public struct TokenFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The stable reason.
  public let reason: RejectReason
  /// What was found, never a value of a customer: `2 certificates`, `purchaseDate`, `Xcode`.
  public let detail: String

  /// Describes a fault.
  public init(_ reason: RejectReason, _ detail: String = "") {
    self.reason = reason
    self.detail = detail
  }

  /// What was expected, with what was found.
  public var description: String {
    detail.isEmpty ? reason.advice : "\(reason.advice) (found: \(detail))"
  }
}
