public import Diagnostics

/// The reason why a token is not used.
public struct TokenFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The stable reason.
  public let reason: RejectReason
  /// The unexpected value, never one of a customer: `2 certificates`, `purchaseDate`, `Xcode`.
  public let detail: String

  /// Creates a fault from its fields.
  public init(_ reason: RejectReason, _ detail: String = "") {
    self.reason = reason
    self.detail = detail
  }

  /// The expectation, and the value found instead.
  public var description: String {
    detail.isEmpty ? reason.advice : "\(reason.advice) (found: \(detail))"
  }
}
