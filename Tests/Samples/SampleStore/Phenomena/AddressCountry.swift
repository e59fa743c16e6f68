internal import CivilTime

/// The storefront in the exports is the country of the customer's IP address.
///
/// The server looks up the address of each request, and writes the country under `storefront`, in
/// records and in reports. Some customers use a VPN, some live abroad, some travel. Prices and
/// currencies are right: they are those of the customer's App Store.
///
/// The evidence is the currency of reports: it contradicts the country.
struct AddressCountry: Phenomenon {
  /// The numbers of customers per thousand who use a VPN, live abroad, and travel.
  var shares = (vpn: 80, abroad: 40, travel: 120)
  /// The countries of VPN servers.
  var servers = ["USA", "NLD", "DEU", "CHE", "GBR", "SWE", "JPN"]
  /// The number of requests through the VPN, per thousand requests of a customer with a VPN.
  var connected = 700

  func changeWorld(_ world: inout World, _ random: inout SampleRandom) {}

  func changeAccount(_ account: inout Account, in world: World, _ random: inout SampleRandom) {
    let home = 1000 - shares.vpn - shares.abroad - shares.travel
    let other = random.weighted(world.storefronts.map(\.weight))
    switch random.weighted([shares.vpn, shares.abroad, shares.travel, home]) {
    case 0:
      let server = world.storefronts.indices.filter {
        servers.contains(world.storefronts[$0].code)
      }
      var own = random
      name(&account) { _ in
        own.happens(perMille: connected) ? server[own.below(server.count)] : nil
      }
    case 1: name(&account) { _ in other }
    case 2:
      let trips = (0..<random.within(1...3)).map { _ in
        let day = Int64(random.below(world.days))
        let from = world.start + day * BillingClock.day
        return from..<from + Int64(random.within(7...21)) * BillingClock.day
      }
      name(&account) { moment in trips.contains { $0.contains(moment) } ? other : nil }
    default: break
    }
  }

  /// Sets the storefront of records and reports by their times; `nil` leaves the right one.
  private func name(_ account: inout Account, _ country: (Int64) -> Int?) {
    for index in account.prices.indices {
      account.prices[index].named = country(account.prices[index].shownAt)
    }
    for index in account.uploads.indices {
      let report = account.uploads[index].report
      // A report and its record are one request.
      account.uploads[index].named =
        report >= 0 ? account.prices[report].named : country(account.uploads[index].at)
    }
  }
}
