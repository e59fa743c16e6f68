internal import CivilTime

/// Customers have no ids, changing ids, or one common id.
///
/// A quarter of the customers have no customer id. About a fifth have one common id, which the app
/// sends before somebody signs in; a few of these customers sign in later. Another fifth get a new
/// id with each installation. A tenth use a phone and its id together with a relative who has
/// another Apple account. A few use the app under two ids in turn.
///
/// A response always belongs to one Apple account, so all chains in a response have one customer. A
/// report is evidence for its account if it has a transaction id, or a customer id that only this
/// account has.
struct Anonymous: Phenomenon {
  /// The numbers of customers per thousand with each kind of id: none, the placeholder, changing
  /// ids, a relative's id, and two ids.
  var shares = (nothing: 250, placeholder: 220, changing: 200, relatives: 100, twice: 40)
  /// The id that the app sends for all customers who have not signed in.
  var placeholder = "guest"
  /// The number of customers who sign in later, per thousand customers with the placeholder.
  var signsIn = 200
  /// The shortest and longest time between two installations of the app, in days.
  var installation = 30...300

  func changeWorld(_ world: inout World, _ random: inout SampleRandom) {}

  func changeAccount(_ account: inout Account, in world: World, _ random: inout SampleRandom) {
    // Relatives have successive numbers, and both must get the same random choice.
    var lots = SampleRandom(
      seed: world.seed,
      stream: HardPhenomenon.anonymous.stream | UInt64(account.number / 2 + 1) << 8 | 0x80)
    let named =
      1000 - shares.nothing - shares.placeholder - shares.changing - shares.relatives - shares.twice
    let lot = lots.weighted([
      shares.nothing, shares.placeholder, shares.changing, shares.relatives, shares.twice, named,
    ])
    switch lot {
    case 0: rename(&account, [Account.Identity(from: .min, id: "")])
    case 1: rename(&account, guest(account, world, &random))
    case 2: rename(&account, installations(account, world, &random))
    case 3: rename(&account, [Account.Identity(from: .min, id: "home-\(account.number / 2)")])
    case 4: rename(&account, twoPhones(account, world, &random))
    default: break
    }
    guard lot == 0 else { return }
    for index in account.uploads.indices where account.uploads[index].report < 0 {
      if random.happens(perMille: 500) { account.uploads[index].form = .bare }
    }
  }

  private func rename(_ account: inout Account, _ identities: [Account.Identity]) {
    account.identities = identities
    for index in account.prices.indices {
      account.prices[index].customerID = account.customerID(at: account.prices[index].shownAt)
    }
  }

  private func guest(
    _ account: Account, _ world: World, _ random: inout SampleRandom
  ) -> [Account.Identity] {
    let guest = Account.Identity(from: .min, id: placeholder)
    guard random.happens(perMille: signsIn) else { return [guest] }
    let day = Int64(random.within(world.days / 10...world.days * 9 / 10))
    let moment = world.start + day * BillingClock.day
    return [guest, Account.Identity(from: moment, id: "u-\(100_000 + account.number)")]
  }

  private func installations(
    _ account: Account, _ world: World, _ random: inout SampleRandom
  ) -> [Account.Identity] {
    var identities = [Account.Identity(from: .min, id: "i-\(account.number)-0")]
    var moment = world.start
    while moment < world.end {
      moment += Int64(random.within(installation)) * BillingClock.day
      identities.append(
        Account.Identity(from: moment, id: "i-\(account.number)-\(identities.count)"))
    }
    return identities
  }

  /// Creates the ids of a customer who uses a phone and a tablet in turn, with a different id on
  /// each device.
  private func twoPhones(
    _ account: Account, _ world: World, _ random: inout SampleRandom
  ) -> [Account.Identity] {
    let ids = ["u-\(100_000 + account.number)", "t-\(account.number)"]
    var identities = [Account.Identity(from: .min, id: ids[0])]
    var moment = world.start
    while moment < world.end {
      moment += Int64(random.within(1...40)) * BillingClock.day
      identities.append(Account.Identity(from: moment, id: ids[identities.count % 2]))
    }
    return identities
  }
}
