internal import Purchases
internal import TestSupport
internal import Testing

/// How long after the date in the receipt Apple may have charged.
struct LatePaymentTests {
  /// The days for a row of March 1, with signs of billing retry on some days.
  private func days(
    isOnPlan: Bool, isRecovery: Bool = false, retries: [String] = [], seen: String? = nil
  ) -> Int64? {
    LatePayment.days(
      purchasedAt: instant("2024-03-01"), firstSeenAt: seen.map(instant), isOnPlan: isOnPlan,
      isRecovery: isRecovery,
      signs: retries.map { LatePayment.Sign(at: instant($0), isRetry: true, graceUntil: nil) })
  }

  @Test func `Apple tries for 60 days, and for 90 days to collect a month of a commitment`() {
    #expect(days(isOnPlan: false, isRecovery: true) == 60)
    #expect(days(isOnPlan: true, isRecovery: true) == 90)
    #expect(days(isOnPlan: true) == nil)
  }

  @Test func `billing retry is seen as long after the date as Apple tries`() {
    // May 10 is 70 days after March 1.
    #expect(days(isOnPlan: false, retries: ["2024-05-10"]) == nil)
    #expect(days(isOnPlan: true, retries: ["2024-05-10"]) == 90)
  }

  @Test func `what a snapshot shows has been charged`() {
    #expect(days(isOnPlan: true, isRecovery: true, seen: "2024-03-13") == 12)
    #expect(days(isOnPlan: true, isRecovery: true, seen: "2024-03-02") == nil)
  }
}
