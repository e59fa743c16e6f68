public import Diagnostics

/// The reason why a token is unusable.
public struct TokenFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason, as one of the stable codes.
  public let reason: RejectReason
  /// The unexpected value, without customers' data, such as the number of certificates,
  /// `purchaseDate` or `Xcode`.
  public let detail: String

  /// Creates a fault from its fields.
  public init(_ reason: RejectReason, _ detail: String = "") {
    self.reason = reason
    self.detail = detail
  }

  /// The advice for the reason, followed by the unexpected value.
  public var description: String {
    detail.isEmpty ? reason.advice : "\(reason.advice) (found: \(detail))"
  }
}
