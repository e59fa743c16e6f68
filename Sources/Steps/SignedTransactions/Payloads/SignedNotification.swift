public import CivilTime

/// A notification of Apple's (`ResponseBodyV2DecodedPayload`): an event, and the tokens with the
/// state after it.
///
/// Only its tokens become observations. Notifications come late, twice and in any order; the
/// tokens' own times put them in order.
public struct SignedNotification: Hashable, Sendable {
  /// `notificationType`: `DID_RENEW`, `REFUND`, `TEST` and some twenty others.
  public var type: String
  /// `subtype`: `BILLING_RECOVERY`, `VOLUNTARY`; `nil` for most.
  public var subtype: String?
  /// `notificationUUID`: the same when Apple sends it again.
  public var uuid: String?
  /// `signedDate`; `nil` in an unsigned payload without it.
  public var signedAt: Instant?
  /// `bundleId` of its data; `nil` if absent.
  public var bundleID: String?
  /// `environment` of its data, else that of the answer around it; `nil` if nothing names it.
  public var environment: StoreEnvironment?
  /// `status` of its data: 1 active, 2 expired, 3 billing retry, 4 grace period, 5 revoked.
  public var status: Int64?
  /// `signedTransactionInfo` and `signedRenewalInfo` of its data, if present.
  var tokens: [FoundToken] = []

  /// Creates a notification of a type; all other fields are `nil`.
  public init(type: String) {
    self.type = type
  }
}
