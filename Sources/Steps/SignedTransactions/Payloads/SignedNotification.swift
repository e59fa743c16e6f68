public import CivilTime

/// A notification of Apple's (`ResponseBodyV2DecodedPayload`): an event, with tokens of the state
/// after it.
///
/// Only its tokens become observations. Notifications may arrive late, twice and in any order; the
/// tokens have their own times.
public struct SignedNotification: Hashable, Sendable {
  /// `notificationType`: `DID_RENEW`, `REFUND`, `TEST` and some twenty others.
  public var type: String
  /// `subtype`: `BILLING_RECOVERY`, `VOLUNTARY`; `nil` for most.
  public var subtype: String?
  /// `notificationUUID`: equal if Apple sends the notification again.
  public var uuid: String?
  /// `signedDate`; `nil` in an unsigned payload without it.
  public var signedAt: Instant?
  /// `bundleId` of its data; `nil` if absent.
  public var bundleID: String?
  /// `environment` of its data, else that of the response around it; `nil` if neither has it.
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
